package org.idallocator.service.commands;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.CommandLine;
import org.idallocator.service.CommandLine.Outcome;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(SharedService.class)
class InspectCommandTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String SNO = "9q7qmwq2222dhi22";
    private static final String MUID = "0660C91AF254F7172DF585D483600001";

    static List<Scheme<?>> schemes() {
        return Schemes.all();
    }

    private static Outcome inspect(String options) {
        return CommandLine.run(("inspect " + options).split(" ", -1));
    }

    /** {@code input} stands for bytes. */
    private static Outcome inspectInput(String input, String... options) {
        String[] arguments = new String[options.length + 2];
        arguments[0] = "inspect";
        arguments[1] = "-";
        System.arraycopy(options, 0, arguments, 2, options.length);
        return CommandLine.run(input.getBytes(ISO_8859_1), arguments);
    }

    private static List<String> ids(Outcome outcome) {
        return outcome.output()
                .lines()
                .filter(line -> line.contains("  sno  ") || line.contains("  muid  "))
                .map(line -> line.split(" ", 2)[0])
                .toList();
    }

    @Test
    void shouldShowTheFieldsOfAnIdToPeople() {
        assertEquals("""
                9q7qmwq2222dhi22  sno  2026-11-21T13:19:54.368Z  (read as hex)
                field            bits    value
                timestamp_units  0..38   133240798592
                tick             39..39  0
                metabyte         40..47  0
                partition        48..63  183
                sequence         64..79  49152
                hex: 3e0b8a7b000000b7c000
                uuid: 39713771-6d77-7132-3232-326468693232
                """, inspect("3e0b8a7b000000b7c000").output());
    }

    /** What a column of 64 bits gives back; a leading dash is no option. */
    @ParameterizedTest
    @ValueSource(strings = {"-966301394858409709", "-- -966301394858409709", "--scheme eightbyte -966301394858409709"})
    void shouldReadNegativeNumbers(String arguments) {
        Outcome outcome = inspect(arguments);

        assertFalse(outcome.failed(), outcome.error());
        assertTrue(outcome.output().startsWith("f297020045800113  eightbyte  "), outcome.output());
        assertTrue(outcome.output().contains("  (read as decimal)\n"), outcome.output());
        assertTrue(
                outcome.output()
                        .contains("note: the bits of timestamp_ms are reversed: bit 0 is its least significant one\n"),
                outcome.output());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0660c91a-f254-f717-2df5-85d483600001 | 0660C91AF254F7172DF585D483600001  muid
            \\x0660c91af254f7172df585d483600001   | 0660C91AF254F7172DF585D483600001  muid
            0x3E0B8A7B000000B7C000               | 9q7qmwq2222dhi22  sno
            """)
    void shouldReadWhatDatabasesGiveBack(String text, String id) {
        assertTrue(inspect(text).output().contains(id), inspect(text).output());
    }

    @Test
    void shouldShowRemarks() {
        assertTrue(inspect("0660C91AF254F7000000000000000001").output().contains("\nnote: the medallion is outside "));
    }

    @Test
    void shouldShowEveryWayToReadAText() {
        List<String> lines = inspect("2222222222222222").output().lines().toList();

        assertEquals("2222222222222222 can be read in 2 ways, the most plausible first:", lines.get(0));
        assertTrue(lines.contains("2222222222222222  sno  2010-01-01T00:00:00Z"), lines.toString());
        assertTrue(lines.contains("aYp-AOKuOO  uid60  2018-06-04T19:33:42Z  (read as decimal)"), lines.toString());
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void shouldSayInJsonWhatHttpSays(Scheme<?> scheme, RunningService service) throws JsonProcessingException {
        String id = service.app().get("/ids/" + scheme.name()).body().strip();
        ObjectNode said = (ObjectNode) service.app().json("/ids/" + scheme.name() + "/" + id);
        said.remove(List.of("holder", "holderUnknown"));
        said.put("form", "canonical");
        Outcome outcome =
                CommandLine.run("inspect", "--json", "--scheme", scheme.name(), "--form", "canonical", "--", id);

        assertEquals("", outcome.error());
        assertEquals(1, outcome.output().lines().count());
        JsonNode line = MAPPER.readTree(outcome.output());
        assertEquals(List.of("input", "candidates"), names(line));
        assertEquals(id, line.path("input").asText());
        assertEquals(MAPPER.createArrayNode().add(said), line.path("candidates"));
    }

    private static List<String> names(JsonNode object) {
        return object.properties().stream().map(Map.Entry::getKey).toList();
    }

    static List<Arguments> inputs() {
        return List.of(
                Arguments.of("", 0, ""),
                Arguments.of(SNO + "\r\n\r\n" + MUID + "\r\n", 2, ""),
                Arguments.of(SNO + "\n\nzzz\n" + MUID + "\n", 2, "line 3: not an ID: zzz ("),
                Arguments.of("\u00ff\u00fe\n" + SNO, 1, "line 1: not an ID: <U+FFFD><U+FFFD> ("),
                Arguments.of("\u001b[31m\n" + SNO, 1, "line 1: not an ID: <U+001B>[31m ("),
                Arguments.of(
                        SNO + "\n" + "x".repeat(1_000_000) + "\n",
                        1,
                        "line 2: not an ID: " + "x".repeat(64) + "... ("));
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void shouldReadLinesAndReportWhatIsNoId(String input, int ids, String error) {
        Outcome outcome = inspectInput(input);

        assertEquals(ids, ids(outcome).size(), outcome.output());
        assertTrue(outcome.error().startsWith(error), outcome.error());
        assertEquals(error.isEmpty() ? 0 : 1, outcome.error().lines().count());
        assertEquals(!error.isEmpty(), outcome.failed());
    }

    @Test
    void shouldReportWhichArgumentIsNoIdAndDoTheRest() {
        Outcome outcome = inspect(SNO + " zzz " + MUID);

        assertTrue(outcome.failed());
        assertEquals(List.of(SNO, MUID), ids(outcome));
        assertEquals(
                "argument 2: not an ID: zzz (the forms are canonical, hex, uuid, base64url, decimal)\n",
                outcome.error());
    }

    @Test
    void shouldReadArgumentsAndInputInTheirOrder() {
        Outcome outcome = CommandLine.run((MUID + "\n").getBytes(ISO_8859_1), "inspect", SNO, "-", SNO);

        assertEquals(List.of(SNO, MUID, SNO), ids(outcome));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1 --scheme nope                    | unknown scheme nope; known are sno, muid, eightbyte, uid60, gid
            1 --form nope                      | form must be one of canonical, hex, uuid, base64url, decimal: nope
            1 --form decimal --scheme sno      | form must be one of canonical, hex, uuid: decimal
            """)
    void shouldSayWhatIsAllowed(String options, String error) {
        assertEquals(Outcome.misuse(error), inspect(options));
    }

    @Test
    void shouldSayWhyATextIsNoIdOfTheForm() {
        assertEquals(
                new Outcome(true, "", "argument 1: not an ID: 1 (the forms are uuid)\n"), inspect("1 --form uuid"));
    }
}
