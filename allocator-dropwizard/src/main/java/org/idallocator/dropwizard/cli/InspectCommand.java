package org.idallocator.dropwizard.cli;

import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.decode.Candidate;
import org.idallocator.dropwizard.decode.Forms;
import org.idallocator.dropwizard.decode.IdGuesser;
import org.idallocator.dropwizard.decode.UnreadableIdException;

/** {@code inspect}: prints what IDs say. Needs neither configuration nor ZooKeeper. */
public final class InspectCommand extends Command {
    private final Streams streams;

    public InspectCommand(Streams streams) {
        super("inspect", "Prints what IDs say, in every way to read them, the most plausible first.");
        this.streams = streams;
    }

    @Override
    public void configure(Subparser subparser) {
        subparser.addArgument("id").metavar("ID").nargs("+").help("IDs, or - for one a line on standard input");
        subparser.addArgument("--scheme").help(String.join(", ", Schemes.names()));
        subparser.addArgument("--" + Forms.PARAMETER).help(String.join(", ", Forms.names(Schemes.all())));
        subparser
                .addArgument("--json")
                .action(Arguments.storeTrue())
                .help("a line {\"input\":\"...\",\"candidates\":[...]} for each ID");
        subparser.epilog("""
                Standard error names what is no ID; all else is printed, and the status is 1.

                examples:
                  inspect --json - < ids.txt
                  inspect --scheme uid60 -- -AAAAAAAAA     (the ID starts with a dash)
                  inspect 9q7qmwq2222dhi22""");
    }

    @Override
    public void run(Bootstrap<?> bootstrap, Namespace options) throws IOException {
        IdGuesser guesser = CommandException.asMisuse(() -> guesser(options));
        try (Output out = new Output(streams.out())) {
            Inspector inspector = new Inspector(guesser, options.getBoolean("json"), out);
            List<String> arguments = options.getList("id");
            for (int i = 0; i < arguments.size(); i++) {
                if (arguments.get(i).equals("-")) {
                    inspector.inspectLines();
                } else {
                    inspector.inspect("argument " + (i + 1), arguments.get(i));
                }
            }
            if (inspector.refused && !out.isReaderGone()) {
                throw CommandException.told();
            }
        }
    }

    private static IdGuesser guesser(Namespace options) {
        String name = options.getString("scheme");
        List<Scheme<?>> schemes = name == null ? Schemes.all() : List.of(Schemes.named(name, Schemes.all()));
        return new IdGuesser(schemes, Optional.ofNullable(options.getString(Forms.PARAMETER)), Clock.system());
    }

    /** Inspects one text after the other. A text that is no ID is reported, and the next one follows. */
    private final class Inspector {
        private final IdGuesser guesser;
        private final boolean json;
        private final Output out;
        private boolean refused;
        private String separator = "";

        Inspector(IdGuesser guesser, boolean json, Output out) {
            this.guesser = guesser;
            this.json = json;
            this.out = out;
        }

        void inspect(String where, String text) {
            try {
                List<Candidate> candidates = guesser.candidates(text);
                out.write(separator);
                out.write(json ? InspectionText.json(text, candidates) : InspectionText.of(text, candidates));
                separator = json ? "" : "\n";
            } catch (UnreadableIdException e) {
                refused = true;
                out.flush();
                streams.err().println(where + ": " + e.getMessage());
            }
        }

        /** Inspects lines of standard input; blank ones are counted and skipped. */
        void inspectLines() throws IOException {
            BufferedReader reader = new BufferedReader(new InputStreamReader(streams.in(), StandardCharsets.UTF_8));
            for (long number = 1; ; number++) {
                if (!reader.ready()) {
                    out.flush(); // what was printed can be read before this waits for more
                }
                String line = out.isReaderGone() ? null : reader.readLine();
                if (line == null) {
                    return;
                }
                if (!line.isBlank()) {
                    inspect("line " + number, line.strip());
                }
            }
        }
    }

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        FailurePrinter.print(cli.getStdErr(), error);
    }
}
