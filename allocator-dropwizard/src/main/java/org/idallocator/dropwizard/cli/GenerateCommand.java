package org.idallocator.dropwizard.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.sourceforge.argparse4j.impl.Arguments;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Parameter;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.decode.Forms;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.dropwizard.ids.IdRequest;

/** {@code generate}: prints IDs from a generator that is leased for this call alone. */
public final class GenerateCommand extends AllocatorCommand {
    public GenerateCommand(Program<?> program) {
        super(
                program,
                "generate",
                "Prints IDs, one a line, on a slot that is leased for this call.",
                "generate sno -n 1000 --metabyte 7 > ids.txt",
                "generate muid -n 3 --transaction true --json");
    }

    @Override
    protected void addArguments(Subparser subparser) {
        subparser.addArgument("scheme").help(String.join(", ", Schemes.names()));
        subparser
                .addArgument("-n")
                .dest(IdRequest.COUNT)
                .metavar("N")
                .setDefault("1")
                .help("IDs, or objects of a transaction");
        subparser.addArgument("--" + Forms.PARAMETER).help(String.join(", ", Forms.names(Schemes.all())));
        subparser.addArgument("--json").action(Arguments.storeTrue()).help("print each ID as a JSON string");
        parameters()
                .forEach((name, values) ->
                        subparser.addArgument("--" + name).metavar("VALUE").help(values));
    }

    /** The options of all schemes by name, each with the values that its schemes allow. */
    private static Map<String, String> parameters() {
        Map<String, String> parameters = new TreeMap<>();
        Schemes.all()
                .forEach(scheme -> scheme.parameter()
                        .ifPresent(own -> parameters.merge(
                                own.name(), scheme.name() + ": " + own.allowed(), (one, other) -> one + "; " + other)));
        return parameters;
    }

    @Override
    protected void run(AllocatorSection section, Namespace options, Output out, Waiting waiting)
            throws InterruptedException {
        List<Scheme<?>> schemes = section.schemes(); // a bad option of the file's, not of the call's
        Scheme<?> scheme = CommandException.asMisuse(() -> Schemes.named(options.getString("scheme"), schemes));
        IdPrinter printer = CommandException.asMisuse(() -> printer(scheme, options, out));
        generate(scheme, printer, section, waiting);
    }

    private static <T extends Id> IdPrinter printer(Scheme<T> scheme, Namespace options, Output out) {
        Variant variant = variant(scheme, options);
        int count = scheme.count("-n", options.getString(IdRequest.COUNT), variant);
        String form = Optional.ofNullable(options.getString(Forms.PARAMETER)).orElse(Form.CANONICAL);
        IdRequest<T> request = new IdRequest<>(scheme, count, true, variant, Forms.named(scheme, form));
        return new IdPrinter(request, options.getBoolean("json"), out);
    }

    private static Variant variant(Scheme<?> scheme, Namespace options) {
        Optional<Parameter> own = scheme.parameter();
        String name = own.map(Parameter::name).orElse("none");
        for (String other : parameters().keySet()) {
            if (!other.equals(name) && options.getString(other) != null) {
                throw new BadValueException(scheme.name(), "has no parameter " + other + "; it has " + name);
            }
        }
        return own.flatMap(parameter ->
                        Optional.ofNullable(options.getString(name)).map(parameter.parse()))
                .orElse(scheme.defaultVariant());
    }

    private <T extends Id> void generate(Scheme<T> scheme, IdPrinter printer, AllocatorSection section, Waiting waiting)
            throws InterruptedException {
        try (Interruption interruption = Interruption.prepare(err(), printer::tally)) {
            if (scheme.pool().isEmpty()) {
                printer.print(scheme.onSlot(0, section.settings().maxWait(), Clock.system()), interruption::isEnding);
                return;
            }
            waiting.begin(EMBEDDED_ZOOKEEPER);
            try (LeasedGenerator<T> generator = new LeasedGenerator<>(scheme, ZooKeeperInUse.open(section))) {
                interruption.releaseAtEnd(generator);
                printer.print(generator.await(waiting), interruption::isEnding);
            }
        }
    }
}
