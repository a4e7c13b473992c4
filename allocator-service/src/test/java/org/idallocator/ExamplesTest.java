package org.idallocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SnoScheme;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Java code that the documents and the classes' pages show compiles as it stands, and runs where it needs nothing else.
 */
class ExamplesTest {
    private static final Path ROOT = Path.of("..");

    @TempDir
    static Path classes;

    private static List<Example> examples = List.of();
    private static List<String> errors = List.of();

    @BeforeAll
    static void compileAll() throws IOException {
        examples = Example.all(ROOT);
        errors = compile(examples);
    }

    /** The errors that the compiler finds, as {@code document:line: why}. */
    private static List<String> compile(List<Example> sources) {
        Map<String, Example> byClass =
                sources.stream().collect(Collectors.toMap(Example::className, Function.identity()));
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<String> options =
                List.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d", classes.toString());
        ToolProvider.getSystemJavaCompiler()
                .getTask(
                        null,
                        null,
                        found,
                        options,
                        null,
                        sources.stream().map(Example::source).toList())
                .call();
        return found.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .map(each -> where(each, byClass) + ": " + each.getMessage(null))
                .toList();
    }

    private static String where(Diagnostic<? extends JavaFileObject> error, Map<String, Example> byClass) {
        JavaFileObject source = error.getSource();
        if (source == null) {
            return "all examples";
        }
        String className = source.getName().replaceAll("^/|\\.java$", "");
        return byClass.get(className).document() + ":" + error.getLineNumber();
    }

    @Test
    void shouldCompileWhenCopied() {
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldRunWhenNothingElseIsNeeded() throws IOException {
        List<String> failed = new ArrayList<>();
        URL[] path = {classes.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(path, ExamplesTest.class.getClassLoader())) {
            examples.stream().filter(Example::runs).forEach(example -> {
                try {
                    loader.loadClass(example.className()).getMethod("run").invoke(null);
                } catch (ReflectiveOperationException | LinkageError e) {
                    failed.add(example + ": " + (e.getCause() == null ? e : e.getCause()));
                }
            });
        }

        assertEquals(List.of(), failed);
    }

    @Test
    void shouldShowHowToDrawFromEveryScheme() {
        List<String> shown =
                examples.stream().filter(Example::runs).map(Example::document).toList();

        for (Scheme<?> scheme : Schemes.all()) {
            String page = "/" + scheme.getClass().getSimpleName() + ".java";
            assertTrue(shown.stream().anyMatch(document -> document.endsWith(page)), page);
        }
    }

    /**
     * A program holds a slot of each scheme that it serves. With all of them the 65th process of a root, which only
     * wants snos, would find no free slot of eightbyte, and would never be ready.
     */
    @Test
    void shouldServeTheOneSchemeThatIsDrawn() throws IOException {
        Path program = ROOT.resolve("verification/library/program/src/main/java/com/example/Program.java");
        List<String> connecting = Stream.concat(
                        examples.stream().map(Example::code), Stream.of(Files.readString(program)))
                .filter(code -> code.contains("AllocatorSettings.of("))
                .toList();
        String sno = "Schemes.of(\"sno\")";

        assertTrue(connecting.size() > 3, "README.md, docs/library.md, the whole program, and others");
        for (String code : connecting) {
            assertFalse(code.contains("Schemes.all()"), code);
            assertEquals(code.contains(".sno()"), code.contains(sno), code);
        }
        assertEquals(
                Schemes.of("sno").get(0).pool(),
                new SnoScheme(0, 256, 4).pool(),
                "docs/library.md says so of the defaults");
    }

    @Test
    void shouldShowAllThatProgramsUse() {
        String all = examples.stream().map(Example::code).collect(Collectors.joining());

        String calls =
                "IdAllocator.connect( .awaitReady( .stream() IdAllocatorBundle.of( LocalIds.onSystemClock() .snapshot()"
                        + " SnoGenerator.restore( MuidTransaction.begin( .onOverflow( .volumes() .tryParse( setLong( fromUuid("
                        + " Sno.first( Sno.last( .after( .generators( .of(Sno.class) Schemes.of( TestIds.counting( TestIds.of("
                        + " TestIds.fenced( TestIds.all(";
        for (String call : calls.split(" ", -1)) {
            assertTrue(all.contains(call), call);
        }
    }

    @Test
    void shouldImportAllThatItNeedsWhenItIsOfTheLibrarysPage() {
        List<Example> page = Example.in(ROOT, ROOT.resolve("docs/library.md"));

        assertFalse(page.isEmpty());
        page.forEach(example -> assertTrue(example.code().startsWith("import "), example.toString()));
    }

    @Test
    void shouldSayWhereWhenAnExampleIsBroken() {
        String page =
                "/**\n * A page.\n *\n * <pre>{@code\n * Sno id = null;\n *\n * Sno other = id.nothing();\n * }</pre>\n */\n";
        String document = "```java\nint good = 1;\n```\n\n```java\nint bad = \"\";\n```\n";
        List<Example> broken = new ArrayList<>(Example.in("Page.java", page));
        broken.addAll(Example.in("PAGE.md", document));

        List<String> places = compile(broken).stream()
                .map(error -> error.substring(0, error.indexOf(": ")))
                .sorted()
                .toList();

        assertEquals(List.of("PAGE.md:6", "Page.java:7"), places);
    }
}
