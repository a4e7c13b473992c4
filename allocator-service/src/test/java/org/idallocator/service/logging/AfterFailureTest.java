package org.idallocator.service.logging;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class AfterFailureTest {
    private final IllegalStateException failure = new IllegalStateException("the reason");

    @Test
    void shouldKeepTheFailureAndWhatClosingThrewWhenClosingFails() {
        IOException closing = new IOException("as well");

        AfterFailure.close(failure, () -> {
            throw closing;
        });

        assertArrayEquals(new Throwable[] {closing}, failure.getSuppressed());
    }

    @Test
    void shouldKeepTheFailureWhenClosingEndsInAnError() {
        AssertionError closing = new AssertionError("as well");

        AfterFailure.close(failure, () -> {
            throw closing;
        });

        assertArrayEquals(new Throwable[] {closing}, failure.getSuppressed());
    }

    @Test
    void shouldAddNothingWhenClosingSucceeds() {
        AfterFailure.close(failure, () -> {});

        assertArrayEquals(new Throwable[0], failure.getSuppressed());
    }
}
