import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Says at the end of a build which tests were skipped and why, so that a green build without Docker does not look like a
 * whole one. Maven runs it from its source, in verification/faults (the last module) after the integration tests.
 *
 * <p>Arguments: the root directory; the start of the build (reports older than it belong to another build); the values of
 * {@code skipTests} and {@code skipITs}. Prints one line {@code SKIPPED: what because why} per test class and reason.
 */
final class SkippedTests {
    private final TreeMap<String, List<String>> testsByReason = new TreeMap<>();
    private int testCount;

    public static void main(String[] args) throws Exception {
        SkippedTests skipped = new SkippedTests();
        skipped.read(Path.of(args[0]), Instant.parse(args[1]));
        skipped.print(args[2].equals("true"), args[3].equals("true"));
    }

    private void read(Path root, Instant start) throws Exception {
        try (Stream<Path> files = Files.find(root, 4, (file, attributes) -> isReport(root.relativize(file)))) {
            for (Path report : files.sorted().toList()) {
                if (!Files.getLastModifiedTime(report).toInstant().isBefore(start)) {
                    read(report);
                }
            }
        }
    }

    /** {@code <module>/target/{surefire,failsafe}-reports/TEST-*.xml}. */
    private static boolean isReport(Path path) {
        return path.getNameCount() == 4
                && path.getName(1).toString().equals("target")
                && path.getName(2).toString().matches("(surefire|failsafe)-reports")
                && path.getFileName().toString().matches("TEST-.*\\.xml");
    }

    private void read(Path report) throws Exception {
        Document document = parse(report);
        for (Element test : elements(document.getElementsByTagName("testcase"))) {
            testCount++;
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
        System.out.printf("TESTS: %d ran, %d skipped%n", testCount - skippedCount, skippedCount);
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
    }
}
