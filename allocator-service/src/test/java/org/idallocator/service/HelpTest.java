package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.sourceforge.argparse4j.ArgumentParsers;
import net.sourceforge.argparse4j.inf.ArgumentParser;
import net.sourceforge.argparse4j.inf.ArgumentParserException;
import net.sourceforge.argparse4j.inf.Subparser;
import net.sourceforge.argparse4j.inf.Subparsers;
import org.idallocator.service.cli.leases.Action;
import org.idallocator.service.cli.terminal.StandardStreams;
import org.idallocator.service.config.AllocatorConfiguration;
import org.idallocator.zk.settings.Software;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The help of every command ends with examples that the command understands. */
class HelpTest {
    private static final String EXAMPLES = "\nexamples:\n";

    static List<Command> commands() {
        AllocatorApplication application = new AllocatorApplication(StandardStreams.ofProcess());
        Bootstrap<AllocatorConfiguration> bootstrap = new Bootstrap<>(application);
        application.addDefaultCommands(bootstrap);
        application.initialize(bootstrap);
        return List.copyOf(bootstrap.getCommands());
    }

    static Stream<String> names() {
        return commands().stream().map(Command::getName);
    }

    private static List<String> examples(String command) {
        CommandLine.Outcome help = CommandLine.run(command, "--help");
        assertFalse(help.failed(), help.error());
        int start = help.output().lastIndexOf(EXAMPLES);
        assertTrue(start >= 0, help.output());
        return help.output().substring(start + EXAMPLES.length()).lines().toList();
    }

    /** As Dropwizard does it. */
    private static ArgumentParser parser() {
        ArgumentParser parser = ArgumentParsers.newFor("id-allocator").build();
        Subparsers subparsers = parser.addSubparsers();
        commands().forEach(command -> command.configure(subparsers.addParser(command.getName())));
        return parser;
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldEndWithExamplesThatAreUnderstood(String command) throws ArgumentParserException {
        List<String> examples = examples(command);

        assertFalse(examples.isEmpty());
        for (String example : examples) {
            assertTrue(example.startsWith("  " + command), example);
            String call = example.strip().replaceFirst("( >| <|   ).*", "");
            assertFalse(parser().parseArgs(call.split(" ", -1)).getAttrs().isEmpty(), example);
        }
    }

    /** A line that is too long would be broken anywhere, in the midst of an example, or of what JSON looks like. */
    @ParameterizedTest
    @MethodSource("commands")
    void shouldPrintItsLastWordsAsTheyWereWritten(Command command) {
        String help = CommandLine.run(command.getName(), "--help").output();

        assertTrue(help.endsWith("\n" + epilog(command) + "\n"), help);
    }

    private static String epilog(Command command) {
        Subparser parser =
                ArgumentParsers.newFor("id-allocator").build().addSubparsers().addParser(command.getName());
        List<String> epilogs = new ArrayList<>();
        command.configure((Subparser) Proxy.newProxyInstance(
                Subparser.class.getClassLoader(), new Class<?>[] {Subparser.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("epilog")) {
                        epilogs.add((String) arguments[0]);
                    }
                    Object answer = method.invoke(parser, arguments);
                    return answer == parser ? proxy : answer;
                }));
        assertEquals(1, epilogs.size());
        return epilogs.get(0);
    }

    @Test
    void shouldHaveAnExampleOfEverythingThatLeasesCanDo() {
        List<String> shown = new ArrayList<>(Action.words());
        examples("leases").forEach(example -> shown.remove(example.strip().split(" ", -1)[1]));

        assertEquals(List.of(), shown);
    }

    @Test
    void shouldTellItsVersion() {
        assertEquals(
                new CommandLine.Outcome(false, "id-allocator " + Software.VERSION + "\n", ""),
                CommandLine.run("--version"));
    }
}
