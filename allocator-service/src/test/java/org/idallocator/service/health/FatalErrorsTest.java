package org.idallocator.service.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FatalErrorsTest {
    private final AtomicInteger ends = new AtomicInteger();
    private final FatalErrors errors = new FatalErrors(ends::incrementAndGet);

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
        errors.look(thrown);

        assertEquals(1, ends.get());
    }

    @ParameterizedTest
    @MethodSource("other")
    void shouldLetTheProcessBeWhenSomethingElseIsWrong(Throwable thrown) {
        errors.look(thrown);

        assertEquals(0, ends.get());
    }

    @Test
    void shouldEndTheProcessWhenTheErrorEndsAThread() throws InterruptedException {
        Thread thread = new Thread(() -> {
            throw new OutOfMemoryError("heap");
        });
        thread.setUncaughtExceptionHandler(errors::ended);
        thread.start();
        thread.join();

        assertEquals(1, ends.get());
    }

    /** Only the server command ends its process. */
    @Test
    void shouldDoNothingWhenNotInstalled() {
        FatalErrors.endIfFatal(new OutOfMemoryError("heap"));

        assertEquals(0, ends.get());
    }
}
