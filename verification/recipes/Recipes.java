import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes the programs of docs/programs.md as source files, as they stand there, so that what people copy is what is compiled
 * and run. Maven runs it from its source, in each module with recipes, before that module's tests are compiled.
 *
 * <p>Arguments: the page; a directory, which is emptied; the headings of the sections to write, with a comma between two. A block
 * of Java with a type becomes a file called after the type, in a package of {@code com.example} called after the section. Blocks
 * of another language in a section become one file, {@code ids} with the language's extension, in a directory called after the
 * section. A section without code is an error.
 */
final class Recipes {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\n(.*?)^```$");
    private static final Pattern TYPE = Pattern.compile("(?m)^(?:public |final )*(?:class|enum|interface|record) (\\w+)");

    public static void main(String[] args) throws IOException {
        String page = Files.readString(Path.of(args[0]));
        Path directory = Path.of(args[1]);
        delete(directory);
        for (String section : args[2].split(", ?", -1)) {
            write(section, text(page, section), directory);
        }
    }

    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static String text(String page, String section) {
        return Pattern.compile("(?ms)^## " + Pattern.quote(section) + "$(.*?)(?=^## |\\z)")
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the page has no section " + section));
    }

    private static void write(String section, String text, Path directory) throws IOException {
        List<MatchResult> blocks = BLOCK.matcher(text).results().toList();
        if (blocks.isEmpty()) {
            throw new IllegalArgumentException("section " + section + " has no code");
        }
        String place = section.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        Path others = directory.resolve(place);
        for (MatchResult block : blocks) {
            String code = block.group(2);
            switch (block.group(1)) {
                case "java" -> {
                    Path file = directory.resolve("com/example").resolve(place).resolve(type(section, code) + ".java");
                    append(file, "package com.example." + place + ";\n" + code);
                }
                case "python" -> append(others.resolve("ids.py"), code);
                case "go" -> append(others.resolve("ids.go"), code);
                case "yaml" -> append(others.resolve("application.yml"), code);
                default -> throw new IllegalArgumentException(
                        "section " + section + " has a block of " + block.group(1) + "; known are java, python, go and yaml");
            }
        }
    }

    private static String type(String section, String code) {
        return TYPE.matcher(code)
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("section " + section + " has a block without a type: " + code));
    }

    private static void append(Path file, String code) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, (Files.exists(file) ? Files.readString(file) + "\n" : "") + code);
    }
}
