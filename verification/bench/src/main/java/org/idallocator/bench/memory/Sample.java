package org.idallocator.bench.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.idallocator.bench.process.Child;
import org.idallocator.bench.process.Programs;
import org.idallocator.bench.process.Scratch;
import org.idallocator.bench.process.Server;

/**
 * Memory of a process at one moment, in MiB.
 *
 * @param heap what is in use after a collection
 * @param resident the resident size of the process
 */
record Sample(double heap, double resident) {
    private static final Pattern USED = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");
    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB$");
    private static final double KIBI = 1024;

    /** Has a program in Java collect its garbage, and tells what is left at that very moment: a busy one makes more at once. */
    static Sample of(Server server, Scratch scratch) {
        String pid = Long.toString(server.pid());
        String histogram = Child.run(scratch, List.of(Programs.jdk("jcmd"), pid, "GC.class_histogram"));
        return new Sample(found(USED, histogram) / KIBI / KIBI, found(RESIDENT, status(pid)) / KIBI);
    }

    private static String status(String pid) {
        try {
            return Files.readString(Path.of("/proc", pid, "status"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException("there is no " + pattern + " in " + text);
        }
        return Long.parseLong(matcher.group(1));
    }
}
