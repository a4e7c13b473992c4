package org.idallocator.dropwizard.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ExitStatusTest {
    /** As the pages tell them. */
    @Test
    void shouldBeTheNumbersThatScriptsKnow() {
        assertEquals(
                "DONE 0, FAILED 1, MISUSED 2, UNSAFE 3",
                String.join(
                        ", ",
                        Arrays.stream(ExitStatus.values())
                                .map(status -> status + " " + status.code())
                                .toList()));
    }
}
