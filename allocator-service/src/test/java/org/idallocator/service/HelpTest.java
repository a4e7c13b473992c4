package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.cli.Streams;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.service.testing.ConfigFile;
import org.idallocator.zk.IdAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The help of every command fits a screen, and ends with examples that work. */
class HelpTest {
    private static final String EXAMPLES = "\nexamples:\n";
    private static final int ROWS = 24;
    private static final int COLUMNS = 80;
    private static final String ID = "9q7qmwq2222dhi22\n";

    /** What {@code leases} can do. */
    static final List<String> ACTIONS = List.of("list", "show", "members", "release", "retire", "unretire", "relayout");

    static Stream<String> names() {
        AllocatorApplication application = new AllocatorApplication(Streams.ofProcess());
        Bootstrap<AllocatorConfiguration> bootstrap = new Bootstrap<>(application);
        application.addDefaultCommands(bootstrap);
        application.initialize(bootstrap);
        return List.copyOf(bootstrap.getCommands()).stream().map(Command::getName);
    }

    /** All commands and actions; those that change the layout or the floor come last. */
    static Stream<String> calls() {
        return Stream.concat(
                names().filter(name -> !name.equals("fence-restore")),
                Stream.concat(ACTIONS.stream().map(action -> "leases " + action), Stream.of("fence-restore")));
    }

    private static String help(String call) {
        CommandLine.Outcome help = CommandLine.run((call + " --help").split(" ", -1));
        assertFalse(help.failed(), help.error());
        return help.output();
    }

    private static List<String> examples(String call) {
        String help = help(call);
        int start = help.lastIndexOf(EXAMPLES);
        assertTrue(start >= 0, help);
        return help.substring(start + EXAMPLES.length()).lines().toList();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void shouldFitAScreen(String call) {
        String help = help(call);

        assertTrue(help.lines().count() <= ROWS, help);
        assertTrue(help.lines().allMatch(line -> line.length() <= COLUMNS), help);
    }

    @ProofOnly("each command beside a replica")
    @Test
    void shouldEndWithExamplesThatWork(@TempDir Path directory) throws Exception {
        Path config = ConfigFile.in(directory);
        Path other = ConfigFile.in(directory, "other.yml", "schemes: {sno: {shards: 8}},");
        try (ZooKeeperInUse service = ConfigFile.start(config);
                IdAllocator replica = IdAllocator.connect(service.settings())) {
            replica.awaitReady(HangGuard.TIME);
            String slot = replica.held().stream()
                    .filter(held -> held.scheme().equals(SnoScheme.NAME))
                    .findFirst()
                    .orElseThrow()
                    .slot();
            for (String call : calls().filter(name -> !name.equals("server")).toList()) {
                for (String example : examples(call)) {
                    String words =
                            example.strip().replaceFirst("( >| <|   ).*", "").replace(" 17", " " + slot);
                    work(call, words, call.equals("leases relayout") ? other : config);
                }
            }
        }
    }

    private static void work(String call, String example, Path config) {
        assertTrue(example.startsWith(call), example);
        boolean named = example.contains("config/cluster.yml") || call.equals("inspect");
        String words = named ? example.replace("config/cluster.yml", config.toString()) : example + " -c " + config;
        CommandLine.Outcome outcome = CommandLine.run(ID.getBytes(StandardCharsets.UTF_8), words.split(" ", -1));

        assertEquals("", outcome.error(), example);
        assertFalse(outcome.output().isEmpty(), example);
    }
}
