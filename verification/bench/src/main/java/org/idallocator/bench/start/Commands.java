package org.idallocator.bench.start;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.bench.Figures;
import org.idallocator.bench.Table;
import org.idallocator.bench.process.Child;
import org.idallocator.bench.process.Http;
import org.idallocator.bench.process.Programs;
import org.idallocator.bench.process.Scratch;

/**
 * How long commands take until their first line. The first of them say what this machine needs for any Java program.
 * Every command has data and ports of its own, and is ended after its first line.
 */
record Commands(Scratch scratch, int runs, Table table) {
    private static final String ID = "9q7qmwq2222dhi22";
    private static final double NANOS = 1e6;

    void measure() {
        String hello = scratch.file(
                        "Hello.java",
                        List.of(
                                "class Hello { public static void main(String[] a) { System.out.println(\"hello\"); } }"))
                .toString();
        String classes = scratch.directory("classes").toString();
        Child.run(scratch, List.of(Programs.jdk("javac"), "-d", classes, hello));
        String java = Programs.jdk("java");
        measure("java -version", List.of(java, "-version"));
        measure("java Hello", List.of(java, "-Xshare:auto", "-cp", classes, "Hello"));
        measure("java -jar, inspect", List.of(java, "-jar", Programs.SERVICE.toString(), "inspect", ID));
        for (List<String> command : List.of(
                List.of("--help"),
                List.of("inspect", ID),
                List.of("check"),
                List.of("leases", "list"),
                List.of("doctor"),
                List.of("generate", "gid"),
                List.of("generate", "sno"))) {
            List<String> call = new ArrayList<>(List.of(Programs.LAUNCHER.toString()));
            call.addAll(command);
            measure("id-allocator " + String.join(" ", command), call);
        }
    }

    private void measure(String title, List<String> command) {
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            millis.add(firstLine(command) / NANOS);
        }
        Start.row(table, title + ", first line", new Figures(millis));
    }

    /** Runs a command until it prints, waits for its orderly end, and returns the nanoseconds until it printed. */
    private long firstLine(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(Programs.environment(Http.freePort(), scratch));
        builder.environment().put("JAVA", Programs.jdk("java"));
        try {
            long fromNanos = System.nanoTime();
            Process process = builder.start();
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                String first = lines.readLine();
                long took = System.nanoTime() - fromNanos;
                if (first == null) {
                    throw new IllegalStateException(command + " printed nothing");
                }
                process.toHandle().destroy(); // leaves the output open
                while (lines.readLine() != null) {
                    // until its end, so that it does not disturb the next one
                }
                return took;
            } finally {
                process.waitFor();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + command + " ran", e);
        }
    }
}
