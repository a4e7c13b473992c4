package org.idallocator.service.shipped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.idallocator.core.id.VolumeId;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The conformance files as another language runs them: {@code conformance/check.py} has decoders that know nothing of
 * ours, and asks a service. And what {@code docs/formats.md} does in Python.
 */
@ExtendWith(SharedService.class)
class ConformanceTest {
    private static final Path FILES = Path.of("..", "conformance");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @BeforeEach
    void findPython() {
        boolean found = Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "python3")));
        assumeTrue(found, "python3 is not installed (Debian: apt-get install python3)");
    }

    @Test
    void shouldHoldForDecodersInPython() throws Exception {
        Checked checked = checked(FILES);

        assertEquals(0, checked.status(), checked::toString);
        assertNoDifferences(checked, Schemes.names());
        assertEquals(Schemes.names().size(), checked.printed().size(), checked::toString);
    }

    /** In three forms, as bytes and made of fields. */
    @Test
    void shouldTellWhereADecoderDiffers() throws Exception {
        changeAnId();

        assertOnlyTheChangedIdDiffers(5, checked(directory));
    }

    /** In three forms. One run shows both. */
    @Test
    @ProofOnly("asks 1,800 times")
    void shouldHoldForTheServiceAndTellWhereItDiffers(RunningService service) throws Exception {
        changeAnId();

        assertOnlyTheChangedIdDiffers(
                3, checked(directory, "http://localhost:" + service.app().port()));
    }

    @Test
    void shouldMakeAGidAsThePageOfFormatsSays() throws Exception {
        Path program = Files.writeString(directory.resolve("gid.py"), ofPage("(?s)```python\n(.*?)```"));
        Checked made = run(List.of("python3", program.toString()));

        assertEquals(0, made.status(), made::toString);
        VolumeId gid = VolumeId.parse(made.printed().get(0));
        assertEquals(gid.prefix(), gid.secondPrefix());
        Duration ago = Duration.between(gid.time(), Instant.now());
        assertTrue(ago.abs().compareTo(Duration.ofDays(1)) < 0, ago::toString); // the unit of the time is right
    }

    @Test
    void shouldReadAnIdOfflineAsThePageOfFormatsSays() throws Exception {
        Checked read = run(List.of("sh", "-c", "cd .. && " + ofPage("(?m)^(PYTHONPATH=.*)$")));

        assertEquals(0, read.status(), read::toString);
        assertPrinted(read, ".*'timestamp_units': 126507265573, .*");
    }

    private static String ofPage(String pattern) throws IOException {
        Matcher found = Pattern.compile(pattern).matcher(Files.readString(Path.of("..", "docs", "formats.md")));
        assertTrue(found.find(), pattern);
        return found.group(1);
    }

    /** All bits of this ID are set. */
    private void changeAnId() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            for (Path file : files.toList()) {
                Files.copy(file, directory.resolve(file.getFileName()));
            }
        }
        Path sno = directory.resolve("sno.json");
        String right = "\"tick\": 1, \"metabyte\": ";
        Files.writeString(sno, Files.readString(sno).replaceFirst(right + "255", right + "254"));
    }

    private static void assertOnlyTheChangedIdDiffers(int times, Checked checked) {
        assertEquals(1, checked.status(), checked::toString);
        assertPrinted(checked, "sno: [0-9]{3,} checks, " + times + " differences");
        assertPrinted(checked, "sno: hex 'f{20}': expected .*254.*, not .*255.*");
        assertNoDifferences(
                checked,
                Schemes.names().stream().filter(scheme -> !scheme.equals("sno")).toList());
    }

    private static void assertNoDifferences(Checked checked, List<String> schemes) {
        for (String scheme : schemes) {
            assertPrinted(checked, scheme + ": [0-9]{3,} checks, 0 differences");
        }
    }

    private static void assertPrinted(Checked checked, String pattern) {
        assertTrue(checked.printed().stream().anyMatch(line -> line.matches(pattern)), checked::toString);
    }

    /** What a program printed, and how it ended. */
    private record Checked(int status, List<String> printed) {}

    private Checked checked(Path files, String... arguments) throws IOException, InterruptedException {
        String program = files.resolve("check.py").toString();
        return run(Stream.concat(Stream.of("python3", program), Stream.of(arguments))
                .toList());
    }

    private Checked run(List<String> command) throws IOException, InterruptedException {
        Path printed = Files.createTempFile(directory, "printed", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        return new Checked(process.waitFor(), Files.readAllLines(printed));
    }
}
