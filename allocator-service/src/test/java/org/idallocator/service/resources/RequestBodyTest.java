package org.idallocator.service.resources;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.WebApplicationException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.io.EofException;
import org.idallocator.core.clock.ScriptedClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies that do not come as they should; {@code PostTest} sends some to a service. */
class RequestBodyTest {
    private static InputStream failing(Exception failure) {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                return read(new byte[1], 0, 1);
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                if (failure instanceof IOException io) {
                    throw io;
                }
                throw (RuntimeException) failure;
            }
        };
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new IOException(new TimeoutException("Idle timeout expired: 30000/30000 ms")), 408),
                Arguments.of(new HttpException.RuntimeException(408, "Request content data rate < 100 B/s"), 408),
                Arguments.of(new IOException(new HttpException.RuntimeException(408, "slow")), 408),
                Arguments.of(new HttpException.RuntimeException(400, "Early EOF"), 400),
                Arguments.of(new EofException("closed"), 400),
                Arguments.of(new IllegalStateException(new ZipException("Invalid gzip bytes")), 400));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void shouldTellTheClientThatItsBodyDoesNotCome(Exception failure, int status) {
        WebApplicationException refused =
                assertThrows(WebApplicationException.class, () -> RequestBody.read(failing(failure), 10));

        assertEquals(status, refused.getResponse().getStatus());
        assertEquals(failure, refused.getCause());
    }

    @Test
    void shouldReadNoMoreThanIsWanted() {
        assertArrayEquals(new byte[3], RequestBody.read(new ByteArrayInputStream(new byte[5]), 3));
    }

    /** A byte a second is quick enough for the web server, for as long as a body may be. */
    @Test
    void shouldGiveUpOnABodyThatDrips() {
        ScriptedClock clock = new ScriptedClock(0);
        int[] bytes = {0};
        InputStream drips = new InputStream() {
            @Override
            public int read() {
                throw new AssertionError("nobody reads single bytes");
            }

            @Override
            public int read(byte[] buffer, int offset, int length) {
                clock.advance(Duration.ofSeconds(1));
                return bytes[0]++ < 12 ? 1 : -1;
            }
        };

        ClientErrorException refused =
                assertThrows(ClientErrorException.class, () -> RequestBody.read(drips, 100, clock));
        assertEquals(408, refused.getResponse().getStatus());
        assertEquals("the body came too slowly: it has to come within 10 s", refused.getMessage());
        assertEquals(11, bytes[0]);
        bytes[0] = 3;
        assertArrayEquals(new byte[9], RequestBody.read(drips, 100, clock));
    }
}
