package org.idallocator.zk;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The lease protocol as a model, {@code SlotLease.tla}, of which a checker visits every state. It must hold in each
 * configuration, and must break in the same configuration when a guard is taken away: a model that cannot break says nothing,
 * and neither does one that cannot move, so states are counted.
 *
 * <p>With {@code -Dmodel.large=true} constants take the values that the configurations name as large: hours, and gigabytes.
 */
class ModelTest {
    private static final String MODULE = "SlotLease.tla";
    private static final String HOLDS = "No error has been found";
    private static final String BREAKS = "Invariant Unique is violated";
    private static final Pattern DISTINCT = Pattern.compile("(\\d+) distinct states found, 0 states left on queue");
    private static final Pattern LARGE = Pattern.compile("= \\S+ +\\\\\\* large: (\\S+)");

    @TempDir
    private Path directory;

    @ParameterizedTest(name = "{0}")
    @CsvSource({"Swap.cfg, 200000", "TickTock.cfg, 60000", "HandOver.cfg, 250000", "Restore.cfg, 150000"})
    void shouldKeepIdsApartInEveryState(String configuration, long leastStates) throws IOException {
        String text = resource(configuration);
        boolean large = Boolean.getBoolean("model.large");

        String output = check(large ? LARGE.matcher(text).replaceAll("= $1") : text);

        assertTrue(output.contains(HOLDS), output);
        long states = distinctStates(output).orElse(0);
        System.out.printf("%s holds in %,d states%n", configuration, states);
        assertTrue(states >= leastStates, () -> "fewer than " + leastStates + " states: " + output);
    }

    @ParameterizedTest(name = "{0} without {1}")
    @CsvSource({
        "Swap.cfg, version",
        "Swap.cfg, nonce",
        "Swap.cfg, floor",
        "Swap.cfg, close",
        "TickTock.cfg, ceiling",
        "TickTock.cfg, wallSafe",
        "TickTock.cfg, tickTock",
        "HandOver.cfg, lower",
        "HandOver.cfg, once",
        "Restore.cfg, incarnation"
    })
    void shouldFindEqualIdsWhenAGuardIsMissing(String configuration, String guard) throws IOException {
        String text = resource(configuration);

        String output = check(text.replace("Without = {}", "Without = {\"" + guard + "\"}"));

        assertTrue(output.contains(BREAKS), output);
    }

    /** What TLC says; it ends its own process, so that it gets one. */
    private String check(String configuration) throws IOException {
        Files.writeString(directory.resolve(MODULE), resource(MODULE));
        Files.writeString(directory.resolve("model.cfg"), configuration);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseParallelGC",
                        "-Xmx" + (Boolean.getBoolean("model.large") ? "4g" : "1g"),
                        "-Djava.io.tmpdir=" + directory,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "tlc2.TLC",
                        "-workers",
                        "auto",
                        "-checkpoint",
                        "0",
                        "-config",
                        "model.cfg",
                        MODULE)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static OptionalLong distinctStates(String output) {
        Matcher matcher = DISTINCT.matcher(output);
        return matcher.find() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }

    private static String resource(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(ModelTest.class.getResourceAsStream("/model/" + file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
