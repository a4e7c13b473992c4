package org.idallocator.core.testing;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * Hears of virtual threads that keep their carrier while they wait, from when it is opened: the JVM's flight recorder
 * tells. A carrier that is kept runs no other virtual thread, and there are as few as processors.
 */
public final class PinnedThreads implements AutoCloseable {
    private static final String EVENT = "jdk.VirtualThreadPinned";
    private static final int FRAMES = 20;

    private final Recording recording = new Recording();

    private PinnedThreads() {
        recording.enable(EVENT).withThreshold(Duration.ZERO).withStackTrace();
        recording.start();
    }

    /** Begins to listen. */
    public static PinnedThreads watch() {
        return new PinnedThreads();
    }

    /** Ends listening, and fails where a thread was pinned. */
    public void assertNone() throws IOException {
        assertEquals(List.of(), found());
    }

    /** Ends listening, and tells where threads were pinned. */
    List<String> found() throws IOException {
        recording.stop();
        Path file = Files.createTempFile("pinned", ".jfr");
        try {
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals(EVENT))
                    .map(PinnedThreads::where)
                    .toList();
        } finally {
            Files.delete(file);
        }
    }

    private static String where(RecordedEvent event) {
        Stream<RecordedFrame> frames =
                event.getStackTrace() == null ? Stream.of() : event.getStackTrace().getFrames().stream();
        return frames.limit(FRAMES)
                .map(frame -> frame.getMethod().getType().getName() + "."
                        + frame.getMethod().getName())
                .collect(joining(" < "));
    }

    @Override
    public void close() {
        recording.close();
    }
}
