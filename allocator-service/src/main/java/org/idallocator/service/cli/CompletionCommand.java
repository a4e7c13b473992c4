package org.idallocator.service.cli;

import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import java.io.IOException;
import java.util.List;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.service.cli.completion.BashScript;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.cli.terminal.StandardStreams;
import org.idallocator.service.cli.terminal.UsageException;
import org.idallocator.service.text.Quoted;

/** {@code completion bash}: prints a script that completes calls of all commands of the program. */
public final class CompletionCommand extends Command {
    private static final String NAME = "[A-Za-z0-9_./+-]+";
    private static final String EPILOG = """
            The script completes commands, their options, schemes, forms and
            files. It is made from what the commands take: with a new version,
            make it anew.

            examples:
              completion bash > id-allocator.bash     (. id-allocator.bash)
              completion bash id-allocator ida        (for an alias, too)""";

    private final StandardStreams streams;

    public CompletionCommand(StandardStreams streams) {
        super("completion", "Prints a script with which a shell completes calls of this program");
        this.streams = streams;
    }

    @Override
    public void configure(Subparser subparser) {
        subparser.addArgument("shell").choices(List.of("bash")).help("the shell");
        subparser
                .addArgument("name")
                .metavar("NAME")
                .nargs("*")
                .help("how the program is called, where that is not its own name; aliases, too");
        subparser.epilog(EPILOG);
    }

    @Override
    public void run(Bootstrap<?> bootstrap, Namespace namespace) throws IOException {
        List<String> names = namespace.<String>getList("name");
        names.stream().filter(name -> !name.matches(NAME)).findFirst().ifPresent(name -> {
            throw new UsageException("a name of a program has letters, digits and _./+- alone: " + Quoted.of(name));
        });
        String script = BashScript.of(
                bootstrap.getCommands(),
                names.isEmpty() ? List.of(bootstrap.getApplication().getName()) : names);
        Output.untilEnough(() -> {
            Output out = new Output(streams.out());
            out.write(script);
            out.flush();
        });
    }

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        FailedCommand.print(cli, namespace, error);
    }
}
