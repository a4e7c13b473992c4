import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Prints how long commands take until their first line: the fastest, the median and the slowest of some runs, in milliseconds. Its
 * first lines say what this machine needs for any Java program. Run from the root of the tree, after the build:
 *
 * <pre>java verification/StartTimes.java [runs, 20 by default]</pre>
 *
 * <p>Every command has data and ports of its own, and is ended after its first line. Leaves nothing but the launcher's archive.
 */
final class StartTimes {
    private static final Path LAUNCHER = Path.of("bin", "id-allocator");
    private static final String JAR = Path.of("allocator-service", "target", "allocator-service.jar").toString();
    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String ID = "9q7qmwq2222dhi22";
    private static final double NANOS = 1e6;

    private final Path work;
    private final int runs;

    private StartTimes(Path work, int runs) {
        this.work = work;
        this.runs = runs;
    }

    public static void main(String[] arguments) throws Exception {
        Path work = Files.createTempDirectory("start-times");
        try {
            new StartTimes(work, arguments.length == 0 ? 20 : Integer.parseInt(arguments[0])).run();
        } finally {
            try (Stream<Path> files = Files.walk(work)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private void run() throws Exception {
        firstLine("now", List.of(LAUNCHER.toString(), "--help")); // makes the archive
        Path hello = Files.writeString(
                work.resolve("Hello.java"),
                "class Hello { public static void main(String[] a) { System.out.println(\"hello\"); } }");
        new ProcessBuilder(Path.of(JAVA).resolveSibling("javac").toString(), hello.toString()).start().waitFor();
        System.out.printf("%-34s %8s %8s %8s%n", "ms until the first line", "fastest", "median", "slowest");
        measure("java -version", "off", JAVA, "-version");
        measure("java Hello", "off", JAVA, "-Xshare:auto", "-cp", work.toString(), "Hello");
        measure("java -jar, inspect", "off", JAVA, "-jar", JAR, "inspect", ID);
        for (List<String> command : List.of(
                List.of("--help"),
                List.of("inspect", ID),
                List.of("check"),
                List.of("leases", "list"),
                List.of("doctor"),
                List.of("generate", "gid"),
                List.of("generate", "sno"),
                List.of("server"))) {
            List<String> call = new ArrayList<>(List.of(LAUNCHER.toString()));
            call.addAll(command);
            measure("id-allocator " + String.join(" ", command), "auto", call.toArray(String[]::new));
        }
    }

    private void measure(String title, String archive, String... command) throws Exception {
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            times.add(firstLine(archive, List.of(command)));
        }
        Collections.sort(times);
        System.out.printf(
                "%-34s %8.0f %8.0f %8.0f%n",
                title, times.get(0) / NANOS, times.get(times.size() / 2) / NANOS, times.get(times.size() - 1) / NANOS);
    }

    /** Runs a command until it prints, waits for its orderly end, and returns the nanoseconds until it printed. */
    private long firstLine(String archive, List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("ID_ALLOCATOR_ARCHIVE", archive);
        builder.environment().put("ID_ALLOCATOR_DATA", work.resolve("data").toString());
        builder.environment().put("JAVA", JAVA);
        builder.environment().put("PORT", "0");
        builder.environment().put("ADMIN_PORT", "0");
        long from = System.nanoTime();
        Process process = builder.start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String first = lines.readLine();
            long took = System.nanoTime() - from;
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
    }
}
