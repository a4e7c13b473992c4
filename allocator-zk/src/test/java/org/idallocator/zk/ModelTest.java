package org.idallocator.zk;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.idallocator.core.testing.Proof;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Where a generation begins after a disaster, as a model: {@code Generations.tla}. A checker visits every state of it.
 * It must hold in each configuration, and must break in the same configuration when a guard is left out: a model that
 * cannot break says nothing, and neither does one that cannot move, so states are counted.
 *
 * <p>In a build of minutes one configuration is checked, whose constants take the values that they name as small; in
 * the proof all, with these and with the values that they have; with {@code -Dmodel.large=true} with those that they
 * name as large: hours, and gigabytes.
 */
@Execution(ExecutionMode.CONCURRENT)
class ModelTest {
    private static final String MODULE = "Generations.tla";
    private static final String HOLDS = "No error has been found";
    private static final String BREAKS = "Invariant Unique is violated";
    private static final Pattern DISTINCT = Pattern.compile("(\\d+) distinct states found, 0 states left on queue");
    private static final Pattern SMALL = sized("small");
    private static final Pattern LARGE = sized("large");
    private static final boolean IN_LARGE = Boolean.getBoolean("model.large");

    /** A model of fewer states than this does not move. */
    private static final long LEAST_IN_SMALL = 5_000;

    @TempDir
    private Path directory;

    /** A constant's value, and in a comment behind it the value that it has in another size. */
    private static Pattern sized(String size) {
        return Pattern.compile("= [^\\\\\\n]+\\\\\\* (?:[^\\n]*; )?" + size + ": ([^;\\n]+).*");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void shouldKeepIdsApartInEveryState(String configuration, long leastStates) throws IOException {
        String full = resource(configuration);
        assertHolds(configuration, small(full), LEAST_IN_SMALL);
        if (Proof.runs()) {
            assertHolds(configuration, whole(full), leastStates);
        }
    }

    private void assertHolds(String name, String configuration, long leastStates) throws IOException {
        String output = check(configuration, leastStates > LEAST_IN_SMALL);
        assertTrue(output.contains(HOLDS), output);
        Matcher distinct = DISTINCT.matcher(output);
        long states = distinct.find() ? Long.parseLong(distinct.group(1)) : 0;
        System.out.printf("%s holds in %,d states%n", name, states);
        assertTrue(states >= leastStates, () -> "fewer than " + leastStates + " states: " + output);
    }

    static Stream<Arguments> shouldKeepIdsApartInEveryState() {
        return Stream.of(
                        Arguments.of("Wiped.cfg", 50_000),
                        Arguments.of("OldBackup.cfg", 50_000),
                        Arguments.of("Relayout.cfg", 250_000))
                .limit(Proof.size(1, 3));
    }

    /** Guards are left out one by one, with constants as small as show it: those with a star need the full ones. */
    @ParameterizedTest(name = "{0} without {1}")
    @MethodSource
    void shouldFindEqualIdsWhenAGuardIsMissing(String configuration, String guard) throws IOException {
        String without =
                resource(configuration).replace("Without = {}", "Without = {\"" + guard.replace("*", "") + "\"}");
        boolean many = IN_LARGE || guard.endsWith("*");
        String output = check(many ? whole(without) : small(without), many);

        assertTrue(output.contains(BREAKS), output);
    }

    static Stream<Arguments> shouldFindEqualIdsWhenAGuardIsMissing() {
        return Stream.of(
                        "OldBackup incarnation largest renewal root",
                        "Wiped promise window eraFloor skew slack tick leader cap judged claim generation release*",
                        "Relayout carried terms follows content unused")
                .map(row -> row.split(" ", -1))
                .flatMap(row -> Arrays.stream(row).skip(1).map(guard -> Arguments.of(row[0] + ".cfg", guard)))
                .limit(Proof.size(1, 100));
    }

    /**
     * What TLC says. TLC ends the process that it runs in, so it gets one of its own.
     *
     * @param many whether there are so many states that the JVM's second compiler pays for itself
     */
    private String check(String configuration, boolean many) throws IOException {
        Files.writeString(directory.resolve(MODULE), resource(MODULE));
        Files.writeString(directory.resolve("model.cfg"), configuration);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(IN_LARGE ? List.of("-XX:+UseParallelGC", "-Xmx4g") : List.of("-XX:+UseSerialGC", "-Xmx1g"));
        command.addAll(many ? List.of() : List.of("-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path"),
                "tlc2.TLC",
                "-workers",
                IN_LARGE ? "auto" : "1", // checkers run side by side
                "-checkpoint",
                "0",
                "-config",
                "model.cfg",
                MODULE));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        Thread atExit = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(atExit);
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            Runtime.getRuntime().removeShutdownHook(atExit);
        }
    }

    private static String whole(String configuration) {
        return IN_LARGE ? LARGE.matcher(configuration).replaceAll("= $1") : configuration;
    }

    private static String small(String configuration) {
        return SMALL.matcher(configuration).replaceAll("= $1");
    }

    private static String resource(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(ModelTest.class.getResourceAsStream("/model/" + file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
