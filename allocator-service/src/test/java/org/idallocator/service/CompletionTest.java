package org.idallocator.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.decode.Forms;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code bin/id-allocator-completion.bash}, run by bash itself, has what the help of the commands has. */
@EnabledIf("bash")
class CompletionTest {
    private static final Path SCRIPT = Path.of("../bin/id-allocator-completion.bash");
    private static final Pattern FLAGS = Pattern.compile("(?m)^  (-.*?)(?:  |$)");
    private static final Pattern FLAG = Pattern.compile("(?<![a-z-])--?[a-z][a-z-]*");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    static boolean bash() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "bash")));
    }

    /**
     * One call of bash completes all of these lines, each a blank between its words, and the last word to be completed.
     */
    private List<List<String>> completed(String... lines) throws Exception {
        Path here = Files.createDirectories(directory.resolve("here"));
        Files.createDirectories(here.resolve("config"));
        Files.writeString(here.resolve("cluster.yml"), "");
        String calls = Arrays.stream(lines)
                .map(line -> Arrays.stream(line.split(" ", -1))
                        .map(word -> "'" + word + "'")
                        .collect(Collectors.joining(" ", "COMP_WORDS=(id-allocator ", ")\n")))
                .map(words -> words + "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_id_allocator\n"
                        + "echo \"${COMPREPLY[*]-}\"\n")
                .collect(Collectors.joining());
        List<String> printed =
                bash("set -u\n. '" + SCRIPT.toAbsolutePath() + "'\ncomplete -p id-allocator >/dev/null\n" + calls);
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
                .directory(directory.resolve("here").toFile())
                .redirectOutput(printed.toFile())
                .redirectError(wrong.toFile())
                .start();
        assertEquals(0, bash.waitFor(), Files.readString(wrong));
        assertEquals("", Files.readString(wrong));
        return Files.readString(printed, UTF_8).lines().toList();
    }

    /** All that a command's help says of options. */
    private static List<String> options(String call) {
        String help = CommandLine.run((call + " --help").strip().split(" ", -1)).output();
        return FLAGS.matcher(help)
                .results()
                .flatMap(flags -> FLAG.matcher(flags.group(1)).results())
                .map(MatchResult::group)
                .sorted()
                .toList();
    }

    @Test
    void shouldCompleteTheOptionsThatEachCommandHas() throws Exception {
        List<String> calls = Stream.concat(Stream.of(""), HelpTest.calls()).toList();
        List<List<String>> completed =
                completed(calls.stream().map(call -> (call + " -").strip()).toArray(String[]::new));

        for (int i = 0; i < calls.size(); i++) {
            assertEquals(options(calls.get(i)), completed.get(i), calls.get(i));
        }
    }

    @Test
    void shouldCompleteCommandsSchemesAndForms() throws Exception {
        List<List<String>> completed = completed("", "leases ", "inspect --scheme ", "inspect one --form ");

        assertEquals(HelpTest.names().sorted().toList(), completed.get(0));
        assertEquals(HelpTest.ACTIONS.stream().sorted().toList(), completed.get(1));
        assertEquals(Schemes.names().stream().sorted().toList(), completed.get(2));
        assertEquals(Forms.names(Schemes.all()).stream().sorted().toList(), completed.get(3));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            le                                 | leases
            leases un                          | unretire
            generate sno --form = he           | hex
            inspect one --scheme = gid --form = | base64url canonical decimal hex uuid
            generate gid --type ''             | log segment volume
            generate sno -n ''                 | ''
            generate sno -c ''                 | cluster.yml config
            fence-restore --floor ''           | ''
            fence-restore --nothing-restored ''  | ''
            leases list e                      | eightbyte
            leases list c                      | cluster.yml config
            leases show sno clu                | cluster.yml
            leases retire sno --n              | --nonce
            """)
    void shouldComplete(String line, String words) throws Exception {
        assertEquals(words, String.join(" ", completed(line.replace("''", "")).get(0)));
    }
}
