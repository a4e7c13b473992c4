package org.idallocator.service.cli;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.cli.completion.NarrowedByValue;
import org.idallocator.service.cli.generate.CommandLease;
import org.idallocator.service.cli.generate.IdLines;
import org.idallocator.service.cli.generate.IdPrinter;
import org.idallocator.service.cli.generate.OrderlyEnd;
import org.idallocator.service.cli.generate.ParameterOptions;
import org.idallocator.service.cli.generate.Progress;
import org.idallocator.service.cli.generate.Waiting;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.CommandOptions;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.cli.terminal.ReportedException;
import org.idallocator.service.cli.terminal.StandardStreams;
import org.idallocator.service.cli.terminal.Steps;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.draw.Order;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.service.text.Forms;

/** {@code generate}: prints IDs from a generator that is leased for this call alone. */
public final class GenerateCommand extends OperatorCommand implements NarrowedByValue {
    private static final String SCHEME = "scheme";
    private static final String FORM = "form";
    private static final String EPILOG = """
            The status is 0 when all IDs were printed, or whoever reads them has
            enough; 2 for a call that is not understood; else 1. When somebody
            ends the command (Ctrl-C), the slot is released, unless ZooKeeper
            does not answer for a second, and standard error says how many IDs
            were printed.

            examples:
              generate sno -n 1000 --metabyte 7 > ids.txt
              generate muid -n 3 --transaction true --json""";

    public GenerateCommand(SectionReader<?> reader, StandardStreams streams) {
        super(
                "generate",
                "Prints IDs, one a line, from a generator that is leased for this call and released after it",
                reader,
                streams);
    }

    @Override
    public void configure(Subparser subparser) {
        addWhat(subparser);
        ParameterOptions.addTo(subparser);
        addHow(subparser);
        reader().addOption(subparser);
        subparser.epilog(EPILOG);
    }

    private static void addWhat(Subparser subparser) {
        subparser.addArgument(SCHEME).help(String.join(", ", Schemes.names()));
        subparser
                .addArgument("-n")
                .dest("count")
                .metavar("N")
                .type(Integer.class)
                .setDefault(1)
                .help(
                        "how many IDs; of a transaction, how many objects: the ID of the transaction comes before theirs");
    }

    private static void addHow(Subparser subparser) {
        subparser.addArgument("--" + FORM).help("another text form than the canonical one: " + Forms.offered());
        subparser
                .addArgument("--json")
                .action(Arguments.storeTrue())
                .help("print each ID as a JSON string (NDJSON, for pipes)");
        subparser
                .addArgument("--progress")
                .action(Arguments.storeTrue())
                .help(
                        "tell on standard error, once a second, how many IDs are printed; without this, only when standard"
                                + " error is a terminal and standard output is not");
    }

    @Override
    public String narrowing() {
        return SCHEME;
    }

    @Override
    public boolean takes(String scheme, String dest) {
        return ParameterOptions.fits(Schemes.named(scheme, Schemes.all()), dest);
    }

    @Override
    public boolean takesValue(String scheme, String dest, String value) {
        return !dest.equals(FORM) || Forms.has(Schemes.named(scheme, Schemes.all()), value);
    }

    @Override
    void run(AllocatorSection section, CommandOptions options, Output out, Steps steps) throws IOException {
        List<Scheme<?>> schemes = section.schemes(); // a bad option of the file's, not of the call's
        Scheme<?> scheme =
                options.value(SCHEME, name -> Schemes.named(name, schemes)).orElseThrow();
        generate(scheme, section, options, out, steps);
    }

    private <T extends Id> void generate(
            Scheme<T> scheme, AllocatorSection section, CommandOptions options, Output out, Steps steps)
            throws IOException {
        Order order = order(scheme, options);
        IdLines lines =
                IdLines.of(scheme, options.value(FORM, name -> Forms.named(scheme, name)), options.flag("json"), out);
        boolean watched = streams().progress() || options.flag("progress");
        Progress progress = new Progress(watched, order.ids(), streams().err(), Clock.system());
        IdPrinter printer = new IdPrinter(order, lines, out, progress);
        try (OrderlyEnd end = OrderlyEnd.prepare(kept -> lastWords(printer, kept))) {
            try {
                Output.untilEnough(
                        () -> draw(scheme, section, end, steps, generator -> printer.print(generator, end::told)));
            } catch (CommandException | CancellationException e) {
                throw end.told() ? new ReportedException() : e;
            }
        }
    }

    /** The last that the user hears when somebody has ended the process. */
    private void lastWords(IdPrinter printer, Optional<String> kept) {
        printer.endProgress();
        kept.ifPresent(streams().err()::println);
        streams().err().println("told to end (" + printer.tally() + ")");
        streams().err().flush();
    }

    private static Order order(Scheme<?> scheme, CommandOptions options) {
        Variant variant = ParameterOptions.variant(scheme, options);
        int count = options.value("count", text -> scheme.count("-n", text, variant))
                .orElseThrow();
        return Order.of(scheme, count, true, variant);
    }

    /** Lends a generator to {@code printing}. A scheme without slots needs no ZooKeeper. */
    private <T extends Id> void draw(
            Scheme<T> scheme,
            AllocatorSection section,
            OrderlyEnd end,
            Steps steps,
            Consumer<IdGenerator<T>> printing) {
        Clock clock = Clock.system();
        if (scheme.pool().isEmpty()) {
            printing.accept(scheme.onSlot(0, section.settings().maxWait(), clock));
            return;
        }
        Ensemble ensemble = steps.awaiting(EMBEDDED, () -> Ensemble.of(section));
        try (CommandLease<T> lease = new CommandLease<>(scheme, ensemble, end)) {
            printing.accept(lease.generator(new Waiting(ensemble, streams().err(), clock)));
        }
    }
}
