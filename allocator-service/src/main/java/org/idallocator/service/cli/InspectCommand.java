package org.idallocator.service.cli;

import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.api.Inspection;

/** {@code inspect}: what IDs say. Needs neither configuration nor ZooKeeper. */
public final class InspectCommand extends Command {

    public InspectCommand() {
        super("inspect", "Says what IDs say; tries every scheme's canonical text and hex, unless one is named");
    }

    @Override
    public void configure(Subparser subparser) {
        subparser.addArgument("id").nargs("+").help("IDs, or - for one a line on standard input");
        subparser.addArgument("--scheme").help("sno, muid, eightbyte, uid60 or gid");
        subparser.addArgument("--form").help("the text form, where it is neither canonical nor hex; needs --scheme");
    }

    @Override
    public void run(Bootstrap<?> bootstrap, Namespace namespace) {
        Optional<String> form = Optional.ofNullable(namespace.getString("form"));
        List<Scheme<?>> schemes = schemes(Optional.ofNullable(namespace.getString("scheme")), form);
        List<String> arguments = namespace.getList("id");
        Stream<String> ids = arguments.equals(List.of("-")) ? standardInput() : arguments.stream();
        ids.forEach(id -> inspect(schemes, id, form, System.out));
    }

    private static List<Scheme<?>> schemes(Optional<String> name, Optional<String> form) {
        if (name.isEmpty() && form.isPresent()) {
            throw new CommandException("--form needs --scheme: " + form.get());
        }
        List<Scheme<?>> schemes = Schemes.all().stream()
                .filter(scheme -> name.isEmpty() || name.get().equals(scheme.name()))
                .toList();
        if (schemes.isEmpty()) {
            throw new CommandException("unknown scheme " + name.orElse("") + "; known are " + Schemes.names());
        }
        return schemes;
    }

    private static Stream<String> standardInput() {
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty());
    }

    private static void inspect(List<Scheme<?>> schemes, String id, Optional<String> form, PrintStream out) {
        List<Inspection> readings = Guess.readings(schemes, id, form);
        for (Inspection reading : readings) {
            out.println(reading.id() + "  " + reading.scheme() + "  " + reading.time());
            if (!reading.forms().containsKey("hex")) {
                out.println("    hex: " + reading.hex());
            }
            reading.forms().forEach((name, text) -> out.println("    " + name + ": " + text));
            reading.fields()
                    .forEach(field -> out.println("    " + field.name() + " " + field.bits() + ": " + field.value()));
            reading.remarks().forEach(remark -> out.println("    " + remark));
        }
    }

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        Failures.print(cli, namespace, error);
    }
}
