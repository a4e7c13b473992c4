import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Says at the end of a build which tests were skipped and why, so that a green build without Docker does not look like a
 * whole one, and how many tests only the proof runs. Maven runs it from its source, in verification/skipped, the last
 * module.
 *
 * <p>Arguments: the root directory; the start of the build (what is older belongs to another build); the values of
 * {@code skipTests} and {@code skipITs}. Prints how many tests ran, one line {@code SKIPPED: what because why} per test class and
 * reason, and one line {@code PROOF ONLY: how many} where tests were left to the proof.
 */
final class SkippedTests {
    private static final int DEEPEST = 5;

    private final TreeMap<String, List<String>> testsByReason = new TreeMap<>();
    private final TreeSet<String> proofOnly = new TreeSet<>();
    private int testCount;
    private int failedCount;

    public static void main(String[] args) throws Exception {
        SkippedTests skipped = new SkippedTests();
        skipped.read(Path.of(args[0]), Instant.parse(args[1]));
        skipped.print(args[2].equals("true"), args[3].equals("true"));
    }

    private void read(Path root, Instant start) throws Exception {
        try (Stream<Path> files = Files.find(root, DEEPEST, (file, attributes) -> attributes.isRegularFile())) {
            for (Path file : files.sorted().toList()) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(start)) {
                    continue;
                }
                String path = root.relativize(file).toString();
                if (path.matches(".*/target/(surefire|failsafe)-reports/TEST-[^/]*\\.xml")) {
                    read(file);
                } else if (path.matches(".*/target/proof-only/[0-9]+\\.txt")) {
                    proofOnly.addAll(Files.readAllLines(file)); // a test by line; several JVMs may name the same
                }
            }
        }
    }

    private void read(Path report) throws Exception {
        Document document = parse(report);
        for (Element test : elements(document.getElementsByTagName("testcase"))) {
            testCount++;
            if (test.getElementsByTagName("failure").getLength() + test.getElementsByTagName("error").getLength() > 0) {
                failedCount++;
            }
            for (Element skip : elements(test.getElementsByTagName("skipped"))) {
                testsByReason
                        .computeIfAbsent(test.getAttribute("classname") + "\n" + reason(skip), key -> new ArrayList<>())
                        .add(test.getAttribute("name"));
            }
        }
    }

    private static Document parse(Path report) throws Exception {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(report.toFile());
        } catch (org.xml.sax.SAXException e) {
            throw new IOException("not a test report: " + report, e);
        }
    }

    private static List<Element> elements(org.w3c.dom.NodeList nodes) {
        return Stream.iterate(0, i -> i < nodes.getLength(), i -> i + 1)
                .map(i -> (Element) nodes.item(i))
                .toList();
    }

    /** The message of a disabled test, or the first line of what a failed assumption threw. */
    private static String reason(Element skip) {
        if (!skip.getAttribute("message").isBlank()) {
            return skip.getAttribute("message").replaceAll("\\s+", " ").strip();
        }
        String first = skip.getTextContent().strip().lines().findFirst().orElse("");
        return first.isEmpty() ? "(no reason given)" : first.replaceFirst("^[\\w.$]+Exception: ", "");
    }

    private void print(boolean skipTests, boolean skipITs) {
        int skippedCount = testsByReason.values().stream().mapToInt(List::size).sum();
        System.out.printf(
                "TESTS: %d passed, %d failed, %d skipped%n",
                testCount - failedCount - skippedCount, failedCount, skippedCount);
        if (skipTests) {
            System.out.println("SKIPPED: every test because of -DskipTests");
        } else if (skipITs) {
            System.out.println("SKIPPED: every integration test because of -DskipITs");
        }
        testsByReason.forEach((key, tests) -> {
            String[] classAndReason = key.split("\n");
            String what = tests.size() == 1
                    ? classAndReason[0] + "." + tests.get(0)
                    : classAndReason[0] + " (" + tests.size() + " tests)";
            System.out.printf("SKIPPED: %s because %s%n", what, classAndReason[1]);
        });
        if (!proofOnly.isEmpty()) {
            System.out.printf(
                    "PROOF ONLY: %d tests, and the full sizes of others; mvn -B verify -Pproof runs them%n",
                    proofOnly.size());
        }
    }
}
