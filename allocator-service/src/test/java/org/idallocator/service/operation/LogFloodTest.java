package org.idallocator.service.operation;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.LayoutBase;
import io.dropwizard.logging.common.layout.DropwizardLayoutFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.server.Connector;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.service.AllocatorApplication;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What strangers send writes no more to the log than it has bytes itself. */
class LogFloodTest {
    /** Of requests, one behind the other on a connection: as many as Jetty reads at a time. */
    private static final int BYTES = 8_000;

    private static final String END = " HTTP/1.1\r\nHost: localhost\r\n";
    private static final String POST = "POST /ids/sno" + END + "Content-Type: application/json\r\n";

    /** Each is answered, or refused. */
    private static final List<String> REQUESTS = List.of(
            "GET /nope" + END + "\r\n",
            "HEAD /nope" + END + "\r\n",
            "GET /ids/sno?count=100" + END + "\r\n",
            "HEAD /ids/sno" + END + "\r\n",
            "OPTIONS /ids/sno" + END + "\r\n",
            "GET /openapi.json" + END + "\r\n",
            "GET /threads" + END + "\r\n",
            "GET /prometheus" + END + "\r\n",
            "GET /ids/sno" + END + "Accept-Charset: ;=\r\n\r\n",
            "GET /ids HTTP/1.1\r\nHost: a:b:c\r\n\r\n",
            "POST /nope" + END + "Content-Length: 1\r\n\r\nx",
            POST + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
            POST + "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nabcde",
            POST + "Content-Length: 4\r\n\r\nnull",
            "\u0016\u0003\u0001garbage\r\n\r\n",
            "GET / HTTP/1.1\r\nX-Long: " + "x".repeat(BYTES + 1_000) + "\r\n\r\n");

    /** How a client goes that reads no more than the first byte of what it asked for. */
    private enum Leaving {
        RESET {
            @Override
            void leave(Socket socket) throws IOException {
                socket.setSoLinger(true, 0);
            }
        },
        HALF_CLOSED {
            @Override
            void leave(Socket socket) throws IOException {
                socket.shutdownOutput();
            }
        };

        abstract void leave(Socket socket) throws IOException;
    }

    @Test
    void shouldLogAtMostAByteForEachByteThatStrangersSend(@TempDir Path data) {
        try (RunningService service = RunningService.start(
                        AllocatorApplication.class, "zookeeper.embedded.dataDir=" + data)
                .awaitReady()) {
            Connector[] connectors = service.server().getConnectors();
            int connected = connected(connectors);
            long sent = 0;
            long logged;
            try (Written written = new Written()) {
                for (int port :
                        List.of(service.app().port(), service.strangersAdmin().port())) {
                    for (String request : REQUESTS) {
                        for (Leaving way : Leaving.values()) {
                            sent += send(port, request, way);
                        }
                    }
                }
                await("every stranger has gone").until(() -> connected(connectors) <= connected);
                logged = written.bytes.get();
            }
            assertTrue(logged <= sent, logged + " bytes are in the log, for " + sent);
        }
    }

    private static int connected(Connector[] connectors) {
        return Arrays.stream(connectors)
                .mapToInt(connector -> connector.getConnectedEndPoints().size())
                .sum();
    }

    private static long send(int port, String request, Leaving way) {
        byte[] bytes = request.repeat(Math.max(1, BYTES / request.length())).getBytes(StandardCharsets.ISO_8859_1);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) HangGuard.TIME.toMillis());
            socket.getOutputStream().write(bytes);
            socket.getInputStream().read();
            way.leave(socket);
        } catch (IOException e) {
            return bytes.length; // the service has closed the connection first
        }
        return bytes.length;
    }

    /** Counts what would be written to a log as it is by default, until closed. */
    private static final class Written extends AppenderBase<ILoggingEvent> implements AutoCloseable {
        private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        private final AtomicLong bytes = new AtomicLong();
        private final LayoutBase<ILoggingEvent> layout;

        Written() {
            LoggerContext context = root.getLoggerContext();
            layout = new DropwizardLayoutFactory().build(context, TimeZone.getTimeZone("UTC"));
            layout.start();
            setContext(context);
            start();
            root.addAppender(this);
        }

        @Override
        protected void append(ILoggingEvent event) {
            bytes.addAndGet(layout.doLayout(event).getBytes(StandardCharsets.UTF_8).length);
        }

        @Override
        public void close() {
            root.detachAppender(this);
        }
    }
}
