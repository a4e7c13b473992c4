package org.idallocator.service.cli;

import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import java.io.IOException;
import java.util.List;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.cli.completion.NarrowedByValue;
import org.idallocator.service.cli.inspect.Inspector;
import org.idallocator.service.cli.inspect.JsonRendering;
import org.idallocator.service.cli.inspect.Rendering;
import org.idallocator.service.cli.inspect.TableRendering;
import org.idallocator.service.cli.terminal.CommandOptions;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.cli.terminal.ReportedException;
import org.idallocator.service.cli.terminal.StandardStreams;
import org.idallocator.service.reading.Guess;
import org.idallocator.service.text.Forms;

/** {@code inspect}: prints what IDs say. Needs neither configuration nor ZooKeeper. */
public final class InspectCommand extends Command implements NarrowedByValue {
    private static final String STANDARD_INPUT = "-";
    private static final String SCHEME = "scheme";
    private static final String FORM = "form";
    private static final String EPILOG = """
            Standard error names what is no ID; all else is printed, and the
            status is 1.

            examples:
              inspect 9q7qmwq2222dhi22
              inspect --json - < ids.txt
              inspect --scheme uid60 -- -AAAAAAAAA     (the ID starts with a dash)""";

    private final StandardStreams streams;

    public InspectCommand(StandardStreams streams) {
        super(
                "inspect",
                "Prints what IDs say. Where a text can be read in several ways, it prints all, the most plausible first:"
                        + " times from 2010 to now before other times, canonical text before other forms");
        this.streams = streams;
    }

    @Override
    public void configure(Subparser subparser) {
        subparser.addArgument("id").metavar("ID").nargs("+").help("IDs, or - for one a line on standard input");
        subparser
                .addArgument("--" + SCHEME)
                .help(String.join(", ", Schemes.names()) + " (default: every scheme that reads the text)");
        subparser
                .addArgument("--" + FORM)
                .help("the text form: " + String.join(", ", Forms.names(Schemes.all()))
                        + " (default: every form that reads the text)");
        subparser
                .addArgument("--json")
                .action(Arguments.storeTrue())
                .help(
                        "one object for each ID, one a line: {\"input\":\"...\",\"candidates\":[...]}, each candidate with its"
                                + " form and what GET /ids/SCHEME/ID says, without the holder");
        subparser.epilog(EPILOG);
    }

    @Override
    public String narrowing() {
        return SCHEME;
    }

    @Override
    public boolean takes(String scheme, String dest) {
        return true;
    }

    @Override
    public boolean takesValue(String scheme, String dest, String value) {
        return !dest.equals(FORM) || Forms.has(Schemes.named(scheme, Schemes.all()), value);
    }

    @Override
    public void run(Bootstrap<?> bootstrap, Namespace namespace) throws IOException {
        CommandOptions options = new CommandOptions(namespace);
        List<Scheme<?>> schemes = options.value(SCHEME, name -> Schemes.named(name, Schemes.all()))
                .<List<Scheme<?>>>map(List::of)
                .orElse(Schemes.all());
        Guess guess = CommandOptions.read(() -> new Guess(schemes, options.text(FORM), Clock.system()));
        Output out = new Output(streams.out());
        Rendering rendering = options.flag("json") ? new JsonRendering() : new TableRendering();
        Inspector inspector = new Inspector(guess, rendering, out, streams.err());
        boolean ended = Output.untilEnough(() -> {
            inspect(namespace.getList("id"), inspector);
            out.flush();
        });
        if (ended && inspector.refused()) {
            throw new ReportedException();
        }
    }

    private void inspect(List<String> arguments, Inspector inspector) throws IOException {
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).equals(STANDARD_INPUT)) {
                inspector.lines(streams.in());
            } else {
                inspector.argument(i + 1, arguments.get(i));
            }
        }
    }

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        FailedCommand.print(cli, namespace, error);
    }
}
