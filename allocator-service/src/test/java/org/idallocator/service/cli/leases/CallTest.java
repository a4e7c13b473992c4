package org.idallocator.service.cli.leases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a call of {@code leases} means, and which calls mean nothing. */
class CallTest {
    private static Call call(String words) {
        List<String> all = List.of(words.split(" ", -1));
        return Call.of(Action.of(all.get(0)), Schemes.all(), all.subList(1, all.size()));
    }

    @Test
    void shouldKnowTheSlotThatAPersonMeans() {
        assertEquals("retire uid60 slot 007", call("retire uid60 7").inWords());
        assertEquals(
                "release muid slot 10000000000AB",
                call("release muid 10000000000ab").inWords());
        assertEquals(7, call("show uid60 007").slot().orElseThrow().number());
        assertEquals(
                List.of("sno", "muid", "eightbyte", "uid60"),
                call("list").served().stream().map(each -> each.name()).toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            show             | show needs a scheme: sno, muid, eightbyte, uid60
            relayout         | relayout needs a scheme: sno, muid, eightbyte, uid60
            release uid60    | release needs a slot of uid60: 000..511
            retire eightbyte | retire needs a slot of eightbyte: 00..63
            unretire uid60   | unretire needs a slot of uid60: 000..511
            relayout sno 1   | relayout takes no slot, it concerns all of a scheme: 1
            list sno uid60   | list takes no slot, it concerns all of a scheme: uid60
            members sno      | members takes no scheme, it concerns all of them: sno
            list gid         | scheme gid needs no slots; schemes with slots are sno, muid, eightbyte, uid60
            show uid60 512   | slot must be 000..511: 512
            """)
    void shouldRefuseWhatDoesNotFitTheAction(String words, String why) {
        assertEquals(why, assertThrows(UsageException.class, () -> call(words)).getMessage());
    }

    @Test
    void shouldSayThatNoSchemeHasSlots() {
        CommandException refused = assertThrows(
                CommandException.class,
                () -> Call.of(Action.LIST, Schemes.configured(Map.of("gid", Map.of())), List.of()));

        assertEquals("no scheme with slots is configured, only gid", refused.getMessage());
    }

    @Test
    void shouldReadTheWordsThatItOffers() {
        assertEquals(
                Arrays.asList(Action.values()),
                Action.words().stream().map(Action::of).toList());
    }
}
