package org.idallocator.service.resources;

import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.util.OptionalLong;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.draw.Answer;
import org.idallocator.service.draw.CallerGoneException;
import org.idallocator.service.failures.CallerFailures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An answer that is written while its IDs are drawn. A failure before the first byte is an error like any other. A later failure
 * closes the connection, because an orderly end would make a part look like the whole.
 */
final class StreamedAnswer implements StreamingOutput {
    private static final Logger LOG = LoggerFactory.getLogger(StreamedAnswer.class);

    private final Scheme<?> scheme;
    private final Answer answer;
    private final ConnectedCaller caller;
    private final CallerFailures cutOff;

    /** {@code cutOff} is the same for all answers: what one client met is no news when the next one meets it. */
    StreamedAnswer(Scheme<?> scheme, Answer answer, ConnectedCaller caller, CallerFailures cutOff) {
        this.scheme = scheme;
        this.answer = answer;
        this.caller = caller;
        this.cutOff = cutOff;
    }

    /** How the log hears of answers that are cut off. */
    static CallerFailures cutOff() {
        return new CallerFailures(LOG, Clock.system());
    }

    @Override
    public void write(OutputStream out) {
        CountingStream counted = new CountingStream(out);
        caller.rests();
        try {
            answer.stream(counted, caller);
        } catch (RuntimeException e) {
            if (counted.bytes() == 0) {
                throw e;
            }
            tell(counted.bytes(), e);
            caller.cutOff();
        }
    }

    private void tell(long bytes, RuntimeException why) {
        String said = "Cut off an answer of " + scheme.name() + " after " + bytes + whole() + " bytes";
        if (why instanceof CallerGoneException) {
            LOG.debug("{}", said, why); // that is the client's own doing
        } else {
            cutOff.failed(scheme.name(), said, why);
        }
    }

    private String whole() {
        OptionalLong length = answer.length();
        return length.isPresent() ? " of " + length.getAsLong() : "";
    }

    /** Counts the bytes that were written. */
    private static final class CountingStream extends OutputStream {
        private final OutputStream out;
        private long bytes;

        CountingStream(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
            bytes++;
        }

        @Override
        public void write(byte[] buffer, int offset, int length) throws IOException {
            bytes += length;
            out.write(buffer, offset, length);
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        long bytes() {
            return bytes;
        }
    }
}
