package org.idallocator.dropwizard.cli.leases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import net.sourceforge.argparse4j.inf.Namespace;
import org.idallocator.core.scheme.Schemes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The slot that a call means, and who agrees that something is done with it. */
class SlotArgumentTest {
    private static SlotArgument slot(String scheme, String slot) {
        return SlotArgument.of(Schemes.all(), new Namespace(Map.of("scheme", scheme, "slot", slot)));
    }

    @Test
    void shouldKnowTheSlotThatAPersonMeans() {
        assertEquals("uid60 slot 007", slot("uid60", "7").toString());
        assertEquals("muid slot 10000000000AB", slot("muid", "10000000000ab").toString());
        assertEquals(7, slot("uid60", "007").number());
    }

    @ParameterizedTest
    @ValueSource(strings = {"y", "Y", "yes", " Yes "})
    void shouldGoOnWhenThePersonSaysYes(String answer) {
        assertTrue(SlotCommand.agrees(answer));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "n", "no", "yellow"})
    void shouldChangeNothingWhenThePersonSaysAnythingElse(String answer) {
        assertFalse(SlotCommand.agrees(answer));
        assertFalse(SlotCommand.agrees(null));
    }
}
