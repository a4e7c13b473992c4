package org.idallocator.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** All that docs/programs.md shows is run by some module, in the version that it names; and it is short. */
class PageTest {
    /** Lines of a block, without its imports and empty lines. */
    private static final int LONGEST = 25;

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern SECTION = Pattern.compile("(?ms)^## ([^\n]+)$(.*?)(?=^## |\\z)");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```\\w+\n(.*?)^```$");
    private static final Pattern IMPORTS = Pattern.compile("(?ms)^(import \\(\n.*?^\\)|(import|package) [^\n]*)\n");
    private static final Pattern SECTIONS = Pattern.compile("<recipes.sections>([^<]+)</recipes.sections>");
    private static final Pattern VERSION = Pattern.compile("<[a-z0-9-]+\\.version>([^<]+)</");

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs/programs.md"));
    }

    /** The POMs of the modules with recipes. */
    private static List<String> poms() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(".."))) {
            return files.filter(directory -> directory.getFileName().toString().startsWith("recipes"))
                    .map(directory -> directory.resolve("pom.xml"))
                    .map(PageTest::read)
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void shouldRunEachSectionWithCodeInOneModule() throws IOException {
        List<String> shown = SECTION.matcher(page())
                .results()
                .filter(section -> BLOCK.matcher(section.group(2)).find())
                .map(section -> section.group(1))
                .sorted()
                .toList();
        List<String> run = poms().stream()
                .flatMap(pom -> SECTIONS.matcher(pom).results())
                .flatMap(sections -> Stream.of(sections.group(1).split(", ", -1)))
                .sorted()
                .toList();

        assertEquals(shown, run);
    }

    @Test
    void shouldNameTheVersionsThatRun() throws IOException {
        String page = page();
        List<String> versions = poms().stream()
                .flatMap(pom -> VERSION.matcher(pom).results())
                .map(version -> version.group(1))
                .toList();

        assertTrue(versions.size() > 5, versions::toString);
        versions.forEach(version -> assertTrue(page.contains(" " + version), version));
    }

    @Test
    void shouldBeShort() throws IOException {
        for (MatchResult block : BLOCK.matcher(page()).results().toList()) {
            long lines = IMPORTS.matcher(block.group(1))
                    .replaceAll("")
                    .lines()
                    .filter(line -> !line.isBlank())
                    .count();
            assertTrue(lines <= LONGEST, () -> lines + " lines:\n" + block.group());
        }
    }
}
