package org.idallocator.service.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Parameter;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.draw.DrawListener;
import org.idallocator.service.draw.Draws;
import org.idallocator.service.draw.Format;
import org.idallocator.service.draw.LeasedIdSource;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.AllocatorSettings;
import org.idallocator.zk.IdAllocator;

/** {@code generate}: IDs from a generator that is leased for this call alone. */
public final class GenerateCommand extends OperatorCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(20);

    public GenerateCommand() {
        super("generate", "Prints IDs, one a line, from a generator that is leased for this call");
    }

    @Override
    public void configure(Subparser subparser) {
        subparser.addArgument("scheme").help("sno, muid, eightbyte, uid60 or gid");
        subparser
                .addArgument("-n")
                .dest("count")
                .type(Integer.class)
                .setDefault(1)
                .help("how many");
        subparser
                .addArgument("-c", "--config")
                .dest(FILE)
                .setDefault(ConfigurationSource.BUILT_IN)
                .help("configuration file");
    }

    @Override
    void run(AllocatorSection section, Namespace namespace, PrintStream out) throws IOException {
        Scheme<?> scheme = scheme(section, namespace.getString("scheme"));
        int count = namespace.getInt("count");
        if (count < 1 || count > scheme.largestCount()) {
            throw new CommandException("-n must be 1.." + scheme.largestCount() + ": " + count);
        }
        try (Ensemble ensemble = Ensemble.of(section);
                IdAllocator allocator = IdAllocator.connect(only(ensemble.settings(), scheme))) {
            awaitSlot(allocator, scheme);
            print(allocator, scheme, count, out);
        }
    }

    private static Scheme<?> scheme(AllocatorSection section, String name) {
        return section.schemes().stream()
                .filter(scheme -> scheme.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new CommandException("unknown scheme " + name + "; known are "
                        + String.join(
                                ", ",
                                section.schemes().stream().map(Scheme::name).toList())));
    }

    /** So that no slot is claimed that is not needed. */
    private static AllocatorSettings only(AllocatorSettings settings, Scheme<?> scheme) {
        return new AllocatorSettings(
                List.of(scheme),
                settings.zookeeper(),
                settings.window(),
                settings.maxClockSkew(),
                settings.maxWait(),
                settings.replica());
    }

    private static void awaitSlot(IdAllocator allocator, Scheme<?> scheme) {
        Clock clock = Clock.system();
        long start = clock.nanos();
        while (!allocator.status(scheme).active()) {
            if (clock.nanos() - start > PATIENCE.toNanos()) {
                throw allocator.status(scheme).fenced().orElseThrow();
            }
            clock.park(POLL.toNanos());
        }
    }

    private static void print(IdAllocator allocator, Scheme<?> scheme, int count, PrintStream out) throws IOException {
        int variant = scheme.parameter().map(Parameter::defaultVariant).orElse(0);
        new Draws(new LeasedIdSource(allocator), name -> DrawListener.NONE)
                .answer(scheme, Draws.order(scheme, count, true, variant), Format.TEXT).stream(out);
        out.flush();
    }
}
