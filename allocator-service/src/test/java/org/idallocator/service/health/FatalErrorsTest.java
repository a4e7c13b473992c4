package org.idallocator.service.health;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FatalErrorsTest {
    static Stream<Throwable> fatal() {
        return Stream.of(
                new OutOfMemoryError("heap"),
                new InternalError("JVM"),
                new IllegalStateException(new IOException(new OutOfMemoryError("heap"))));
    }

    static Stream<Throwable> other() {
        IllegalStateException circle = new IllegalStateException();
        circle.initCause(new IllegalStateException(circle));
        return Stream.of(new IOException(), new StackOverflowError(), new AssertionError(), circle);
    }

    @ParameterizedTest
    @MethodSource("fatal")
    void shouldEndTheProcessWhenMemoryIsUsedUp(Throwable thrown) {
        assertTrue(FatalErrors.isFatal(thrown));
    }

    @ParameterizedTest
    @MethodSource("other")
    void shouldLetTheProcessBeWhenSomethingElseIsWrong(Throwable thrown) {
        assertFalse(FatalErrors.isFatal(thrown));
    }
}
