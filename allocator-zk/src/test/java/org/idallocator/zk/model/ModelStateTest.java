package org.idallocator.zk.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.idallocator.zk.model.Model.Invariant;
import org.idallocator.zk.model.ModelState.Refusal;
import org.junit.jupiter.api.Test;

/**
 * Takes the actions of {@code TickSequence.model}: it has conditions, guards, and elements of which some come up late.
 */
class ModelStateTest {
    private static final Map<String, Object> NOW = Map.of();

    private final ModelState state = new ModelState(ModelReader.read("TickSequence"));

    {
        state.fix("idTick", 10L);
        state.fix("idLine", false);
        state.fix("idNumber", 1L);
        state.fix("floor", 10L);
        state.fix("nobody", "nobody");
        state.fix("startTick", 10L);
        state.fix("startLine", false);
        state.fix("startUsed", 0L);
        state.fix("startSafe", 9L);
    }

    @Test
    void shouldBeginAsTheModelSays() {
        assertEquals(10, state.number("tick"));
        assertEquals("nobody", state.name("lock"));
        assertFalse(state.isTrue("saw", "one"));
    }

    @Test
    void shouldChangeWhatAnActionSetsWhenAllItsConditionsHold() {
        assertEquals(Optional.empty(), state.take("Extend", NOW, 20L));
        assertEquals(Optional.empty(), state.take("See", NOW, "one"));
        assertEquals(Optional.empty(), state.take("Ask", NOW, "one", 12L));
        assertEquals(Optional.empty(), state.take("Swap", NOW, "one", 12L, 3L, false));

        assertEquals(12, state.number("tick"));
        assertEquals(3, state.number("used"));
        assertEquals(10, state.number("sawTick", "one"));
        assertFalse(state.isTrue("saw", "one"));
    }

    @Test
    void shouldNameTheGuardAndTheValuesWhenItDoesNotHold() {
        state.take("Extend", NOW, 11L).ifPresent(refusal -> {
            throw new AssertionError(refusal);
        });
        var unused = state.take("See", NOW, "one");

        Refusal refusal = state.take("Ask", NOW, "one", 12L).orElseThrow();

        assertEquals("Ask", refusal.action());
        assertEquals(Optional.of("fence"), refusal.guard());
        assertTrue(refusal.words().contains("read = 12"), refusal.words());
        assertTrue(refusal.words().contains("ceiling = 11"), refusal.words());
        assertFalse(state.isTrue("asked", "one"));
    }

    @Test
    void shouldNameNoGuardWhenAnotherConditionDoesNotHold() {
        assertEquals(
                Optional.empty(),
                state.take("Ask", NOW, "one", 12L).orElseThrow().guard());
    }

    @Test
    void shouldGoByWhatWasSeenWhenThatIsPast() {
        var unused = state.take("Extend", NOW, 20L);

        assertTrue(state.take("Extend", NOW, 15L).isPresent());
        assertEquals(Optional.empty(), state.take("Extend", Map.of("ceiling", 14L), 15L));
    }

    @Test
    void shouldTellWhatHappensInTheModelsWords() {
        assertEquals("thread one sees tick 10, used 0", state.inWords("See", NOW, "one"));
    }

    @Test
    void shouldSayWhichPartOfTheInvariantIsBroken() {
        assertEquals(Optional.empty(), state.broken());

        var unused = state.take("Extend", NOW, 20L);
        unused = state.take("See", NOW, "one");
        unused = state.take("Ask", NOW, "one", 12L);
        unused = state.take("Swap", Map.of("floor", 10L), "one", 12L, 1L, false);
        assertEquals(Optional.empty(), state.broken());

        state.fix("floor", 13L);
        assertEquals(Optional.of("word"), state.broken().map(Invariant::name));
    }

    @Test
    void shouldAnswerNothingWhenNothingWasSaid() {
        ModelState nothingSaid = new ModelState(ModelReader.read("SlotLease"));

        assertThrows(IllegalStateException.class, () -> nothingSaid.number("floor", "a"));
    }

    @Test
    void shouldTakeNothingWhenAnArgumentIsMissing() {
        assertThrows(IllegalArgumentException.class, () -> state.take("Ask", NOW, "one"));
    }
}
