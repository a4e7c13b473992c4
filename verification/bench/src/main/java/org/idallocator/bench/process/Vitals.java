package org.idallocator.bench.process;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import org.idallocator.bench.Figures;

/**
 * What a program in Java takes at one moment.
 *
 * @param heap what is in use after a collection, in MiB
 * @param resident the resident size of the process, in MiB
 * @param threads how many threads the process has
 * @param sockets how many sockets are open, those that listen among them
 */
public record Vitals(double heap, double resident, double threads, double sockets) {
    private static final Pattern USED = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");
    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB$");
    private static final Pattern THREADS = Pattern.compile("(?m)^Threads:\\s+(\\d+)$");
    private static final Pattern SOCKETS = Pattern.compile("(?m)^Sockets: (\\d+)$");
    private static final double KIBI = 1024;

    /**
     * Has the program collect its garbage, and tells what is left at that very moment: a busy one makes more at once.
     */
    public static Vitals of(Server server, Scratch scratch) {
        String pid = Long.toString(server.pid());
        return of(server.pid(), scratch, Child.run(scratch, List.of(Programs.jdk("jcmd"), pid, "GC.class_histogram")));
    }

    /** The same with what a program's own JDK tells of what is left. */
    static Vitals of(long pid, Scratch scratch, String histogram) {
        String status = "cd /proc/" + pid + " && cat status && echo Sockets: $(ls -l fd | grep -c socket:)";
        String told = Child.run(scratch, List.of("sh", "-ec", status));
        return new Vitals(
                found(USED, histogram) / KIBI / KIBI,
                found(RESIDENT, told) / KIBI,
                found(THREADS, told),
                found(SOCKETS, told));
    }

    /** How the medians of the last third of some samples differ from those of the first third. */
    public static Growth growth(List<Vitals> taken) {
        int third = Math.max(1, taken.size() / 3);
        return new Growth(median(taken.subList(0, third)), median(taken.subList(taken.size() - third, taken.size())));
    }

    /** The medians of two times. */
    public record Growth(Vitals first, Vitals last) {
        public Vitals grown() {
            return each(part -> part.applyAsDouble(last) - part.applyAsDouble(first));
        }
    }

    private static Vitals median(List<Vitals> all) {
        return each(part -> new Figures(all.stream().map(part::applyAsDouble).toList()).median());
    }

    private static Vitals each(ToDoubleFunction<ToDoubleFunction<Vitals>> figure) {
        return new Vitals(
                figure.applyAsDouble(Vitals::heap),
                figure.applyAsDouble(Vitals::resident),
                figure.applyAsDouble(Vitals::threads),
                figure.applyAsDouble(Vitals::sockets));
    }

    private static double found(Pattern pattern, String text) {
        return Long.parseLong(Child.found(pattern, text));
    }
}
