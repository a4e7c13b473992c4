package org.idallocator.faults.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PhasesTest {
    private static final Outcome FENCED = Outcome.status(503, "no renewal was confirmed in time; more (x)\n");

    private final Phases phases = new Phases();

    @Test
    void shouldJoinWhatEndedAlike() {
        phases.add(FENCED, 1, 2);
        phases.add(FENCED, 3, 4);
        phases.add(Outcome.OK, 5, 6);
        phases.add(FENCED, 7, 8);
        assertEquals(List.of(new Phases.Phase(FENCED, 2, 3, 4), new Phases.Phase(FENCED, 8, 7, 8)), phases.fenced());
        assertEquals("503 no renewal was confirmed in time", FENCED.name());
    }

    @Test
    void shouldNotTakeAnAnswerToAnEarlierRequestForServingAgain() {
        phases.add(Outcome.OK, 10, 30);
        assertEquals(Optional.empty(), phases.servedAfter(20));
        phases.add(Outcome.EMPTY, 31, 32);
        phases.add(Outcome.OK, 40, 45);
        assertEquals(Optional.of(45L), phases.servedAfter(20));
        assertEquals(Optional.of(10L + 20), phases.servedAfter(10));
    }
}
