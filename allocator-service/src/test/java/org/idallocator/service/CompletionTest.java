package org.idallocator.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.CommandLine.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The script that {@code completion bash} prints, run by bash itself. */
@EnabledIf("bash")
class CompletionTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    static boolean bash() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "bash")));
    }

    /** One call of bash completes all of these lines, each a blank between its words, and the last word to be completed. */
    private List<List<String>> completed(String... lines) throws Exception {
        Outcome script = CommandLine.run("completion", "bash");
        assertFalse(script.failed(), script.error());
        Files.writeString(directory.resolve("completion"), script.output());
        Files.createDirectories(directory.resolve("config"));
        Files.writeString(directory.resolve("cluster.yml"), "");
        String calls = Arrays.stream(lines)
                .map(line -> Arrays.stream(line.split(" ", -1))
                        .map(word -> "'" + word + "'")
                        .collect(Collectors.joining(" ", "COMP_WORDS=(id-allocator ", ")\n")))
                .map(words -> words + "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_id_allocator\n"
                        + "echo \"${COMPREPLY[*]-}\"\n")
                .collect(Collectors.joining());
        List<String> printed = bash("set -u\n. ./completion\ncomplete -p id-allocator >/dev/null\n" + calls);
        assertEquals(lines.length, printed.size(), "" + printed);
        return printed.stream()
                .map(line -> Stream.of(line.split(" ", -1))
                        .filter(word -> !word.isEmpty())
                        .sorted()
                        .toList())
                .toList();
    }

    private List<String> bash(String script) throws IOException, InterruptedException {
        Path printed = directory.resolve("printed");
        Path wrong = directory.resolve("wrong");
        Process bash = new ProcessBuilder("bash", "--norc", "-c", script)
                .directory(directory.toFile())
                .redirectOutput(printed.toFile())
                .redirectError(wrong.toFile())
                .start();
        assertEquals(0, bash.waitFor(), Files.readString(wrong));
        assertEquals("", Files.readString(wrong));
        return Files.readString(printed, UTF_8).lines().toList();
    }

    private static List<String> sorted(List<String> words) {
        return words.stream().sorted().toList();
    }

    @Test
    void shouldCompleteCommandsSchemesFormsOptionsAndFiles() throws Exception {
        List<String> lines = List.of(
                "",
                "le",
                "generate ",
                "generate sno --form he",
                "generate sno --form = he",
                "generate gid --type ",
                "generate muid --transaction ",
                "generate sno --meta",
                "generate sno -n ",
                "generate -n 3 ui",
                "generate sno clu",
                "generate sno -c clu",
                "generate sno --config = c",
                "leases un",
                "leases list e",
                "leases list c",
                "leases show sno clu",
                "leases list --wat",
                "inspect --scheme g",
                "inspect one two --fo",
                "inspect --scheme eightbyte --form ",
                "inspect one --scheme = gid two --form = ",
                "inspect sno --form b",
                "doctor c",
                "doctor --j",
                "server c",
                "check -",
                "fence-restore --max",
                "completion ",
                "generate gid --form ",
                "generate muid --form ",
                "generate gid --m",
                "generate gid --t",
                "generate --json muid --t",
                "generate --t",
                "leases list -",
                "leases -c x relayout sno --",
                "leases list m",
                "leases list g",
                "leases members e",
                "leases --j");
        List<List<String>> all = completed(lines.toArray(String[]::new));
        List<List<String>> expected = List.of(
                sorted(Stream.concat(HelpTest.names(), Stream.of("-h", "--help", "-v", "--version"))
                        .toList()),
                List.of("leases"),
                sorted(Schemes.names()),
                List.of("hex"),
                List.of("hex"),
                List.of("log", "segment", "volume"),
                List.of("false", "true"),
                List.of("--metabyte"),
                List.of(),
                List.of("uid60"),
                List.of("cluster.yml"),
                List.of("cluster.yml"),
                List.of("cluster.yml", "completion", "config"),
                List.of("unretire"),
                List.of("eightbyte"),
                List.of("cluster.yml", "completion", "config"),
                List.of("cluster.yml"),
                List.of("--watch"),
                List.of("gid"),
                List.of("--form"),
                List.of("base64url", "canonical", "decimal", "hex"),
                List.of("canonical", "hex", "uuid"),
                List.of("base64url"),
                List.of("cluster.yml", "completion", "config"),
                List.of("--json"),
                List.of("cluster.yml", "completion", "config"),
                List.of("--config", "--help", "-c", "-h"),
                List.of("--max-clock-skew"),
                List.of("bash"),
                List.of("canonical", "hex", "uuid"),
                List.of("canonical", "hex", "uuid"),
                List.of(),
                List.of("--type"),
                List.of("--transaction"),
                List.of("--transaction", "--type"),
                List.of("--config", "--help", "--json", "--watch", "-c", "-h"),
                List.of("--config", "--fence", "--help", "--json"),
                List.of("muid"),
                List.of(),
                List.of(),
                List.of("--json"));

        assertEquals(
                IntStream.range(0, lines.size())
                        .mapToObj(i -> lines.get(i) + " -> " + expected.get(i))
                        .collect(Collectors.joining("\n")),
                IntStream.range(0, lines.size())
                        .mapToObj(i -> lines.get(i) + " -> " + all.get(i))
                        .collect(Collectors.joining("\n")));
    }

    @Test
    void shouldCompleteOtherNamesAndRefuseWhatIsNone() throws Exception {
        Outcome script = CommandLine.run("completion", "bash", "ida", "./bin/id-allocator");
        Files.writeString(directory.resolve("completion"), script.output());

        assertEquals(
                List.of("complete -F _ida ida", "complete -F _ida ./bin/id-allocator"),
                bash(". ./completion\ncomplete -p ida ./bin/id-allocator"));
        assertTrue(CommandLine.run("completion", "bash", "a;b")
                .error()
                .startsWith("a name of a program has letters, digits and _./+- alone: a;b\n"));
        assertTrue(CommandLine.run("completion", "fish").failed());
    }
}
