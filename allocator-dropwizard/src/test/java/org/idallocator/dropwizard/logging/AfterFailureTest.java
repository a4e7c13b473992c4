package org.idallocator.dropwizard.logging;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;

class AfterFailureTest {
    @Test
    void shouldKeepTheFailureAndWhatClosingThrew() {
        IllegalStateException failure = new IllegalStateException("the reason");
        AssertionError closing = new AssertionError("as well");

        AfterFailure.close(failure, () -> {
            throw closing;
        });

        assertArrayEquals(new Throwable[] {closing}, failure.getSuppressed());
    }
}
