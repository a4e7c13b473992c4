package org.idallocator.service.resources;

import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps from the log that the end of a route's answer cannot be sent, because its client has gone: Jersey would log each as an error of
 * the program, with its stack. What an answer's writer sends itself still fails.
 */
final class UnreadAnswers implements WriterInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadAnswers.class);

    @Override
    public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
        Ended answer = new Ended(context.getOutputStream());
        context.setOutputStream(answer);
        context.proceed();
        answer.written = true;
    }

    /** The stream of an answer, whose writer ends before Jersey flushes and closes the stream. */
    private static final class Ended extends FilterOutputStream {
        private boolean written;

        Ended(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void flush() throws IOException {
            if (!written) {
                out.flush();
            }
        }

        @Override
        public void close() {
            try {
                out.close();
            } catch (IOException e) {
                LOG.debug("the client has gone", e);
            }
        }
    }
}
