package org.idallocator.faults.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import javax.xml.parsers.DocumentBuilderFactory;
import org.idallocator.faults.ids.Receipts;
import org.idallocator.faults.scene.Goal;
import org.idallocator.faults.scene.Log;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

class ReportTest {
    private static final String EVIL = "<b onclick='x'>&\"";

    @TempDir
    private Path directory;

    private static Result result(boolean met) {
        return new Result(
                EVIL,
                EVIL,
                false,
                10_000,
                2_000,
                List.of(new Receipts.Tally("sno", 1_234_567, 0, List.of())),
                OptionalLong.of(7_900),
                OptionalLong.empty(),
                List.of(new Goal(EVIL, "at most 1", met ? "0" : "17 ms", met)),
                List.of(EVIL),
                List.of(new Log.Mark(500, EVIL)),
                List.of(new Result.Series(
                        EVIL,
                        List.of(5L, 0L, 10L),
                        List.of(new Result.Span(100, 900)),
                        Map.of("ok", 999L, EVIL, 1L),
                        Map.of())),
                null);
    }

    private String page(Result result) throws IOException {
        ReportFiles.write(directory, "short", List.of(result));
        return Files.readString(directory.resolve("index.html"));
    }

    @Test
    void shouldEscapeWhateverComesFromOutside() throws IOException {
        String page = page(result(true));
        assertFalse(page.contains("<b "), page);
        assertTrue(page.contains("&lt;b onclick=&#39;x&#39;&gt;&amp;&quot;"));
    }

    @Test
    void shouldDrawWellFormedPlots() throws Exception {
        String svg = Plot.of(result(true));
        var document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        assertEquals(1, document.getElementsByTagName("path").getLength());
        assertEquals(1, document.getElementsByTagName("rect").getLength());
        assertEquals(1, document.getElementsByTagName("line").getLength());
    }

    @Test
    void shouldNeedNothingButItself() throws IOException {
        String page = page(result(true));
        assertFalse(page.contains("src="), page);
        assertFalse(page.contains("http"), page);
    }

    @Test
    void shouldSayWhatWasMissedAndBy() throws IOException {
        String missed = EVIL + ": 17 ms, the goal is at most 1";
        assertEquals(List.of(missed), result(false).failures());
        assertTrue(Text.of(List.of(result(false))).contains(missed));
        assertTrue(page(result(false)).contains(Page.escaped(missed)));
        assertEquals(List.of(), result(true).failures());
    }

    @Test
    void shouldGiveTheSameInJson() throws IOException {
        page(result(false));
        JsonNode row = new ObjectMapper()
                .readTree(directory.resolve("results.json").toFile())
                .get(0);
        assertEquals(1_234_567, row.at("/tallies/0/ids").asLong());
        assertEquals(7_900, row.at("/fencedMillis").asLong());
        assertTrue(row.at("/servedMillis").isNull());
        assertEquals(10, row.at("/tracks/0/idsBySlice/2").asLong());
        assertFalse(row.at("/goals/0/met").asBoolean());
    }

    @Test
    void shouldNotRoundAMissedRequestAway() {
        assertEquals("99.900 %", Text.share(result(true)));
    }
}
