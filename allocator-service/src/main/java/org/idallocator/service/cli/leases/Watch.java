package org.idallocator.service.cli.leases;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.cli.terminal.Texts;
import org.idallocator.zk.operator.UnreachableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks again and again, until somebody ends it. A terminal shows one screen that is drawn anew; elsewhere what was seen is printed
 * each time. Where ZooKeeper does not answer, says so and goes on: on the screen, or on standard error.
 *
 * @param period how long to wait between two looks
 * @param screen the terminal's screen; empty where standard output is no terminal, or takes JSON
 * @param gap what stands between one table and the next where there is no screen: an empty line, or nothing
 * @param out standard output
 * @param err standard error
 */
public record Watch(Duration period, Optional<Screen> screen, String gap, Output out, PrintStream err) {
    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

    /** Looks until {@code end} is told. Throws what {@code look} throws, but for a ZooKeeper that does not answer. */
    public void run(Supplier<String> look, WatchEnd end) {
        screen.ifPresent(terminal -> out.write(Screen.CLEAR));
        String seen = "";
        String between = "";
        do {
            try {
                seen = look.get();
                print(seen, between);
                between = gap;
            } catch (UnreachableException e) {
                LOG.debug("ZooKeeper does not answer a watch", e);
                away(seen, e);
            }
        } while (!end.toldWithin(period));
    }

    private void print(String text, String between) {
        out.write(screen.map(terminal -> terminal.frame(remark(), text, Optional.empty()))
                .orElse(between + text + "\n"));
        out.flush();
    }

    private void away(String seen, UnreachableException e) {
        String why = Texts.now(Clock.system()) + " ZooKeeper cannot be asked: " + e.getMessage();
        if (screen.isPresent()) {
            out.write(screen.get().frame(remark(), seen, Optional.of(why + "; above is what was seen before")));
            out.flush();
        } else {
            err.println(why);
            err.flush();
        }
    }

    private String remark() {
        return ", every " + period.toSeconds() + " s, now " + Texts.now(Clock.system());
    }
}
