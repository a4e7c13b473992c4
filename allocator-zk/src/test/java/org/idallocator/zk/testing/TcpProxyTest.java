package org.idallocator.zk.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.idallocator.core.testing.HangGuard;
import org.junit.jupiter.api.Test;

/** A blackholed line holds back what is sent, and loses nothing. */
class TcpProxyTest {
    @Test
    void shouldHoldBackWhatIsSentUntilHealed() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TcpProxy proxy = TcpProxy.to("127.0.0.1:" + server.getLocalPort(), Duration.ZERO);
                Socket client = new Socket(InetAddress.getLoopbackAddress(), port(proxy));
                Socket accepted = server.accept()) {
            client.setSoTimeout((int) HangGuard.TIME.toMillis());
            client.getOutputStream().write(1);
            assertEquals(1, accepted.getInputStream().read());

            proxy.blackhole();
            client.getOutputStream().write(2);
            accepted.setSoTimeout(200);
            assertThrows(
                    SocketTimeoutException.class,
                    () -> accepted.getInputStream().read());

            proxy.heal();
            accepted.setSoTimeout((int) HangGuard.TIME.toMillis());
            assertEquals(2, accepted.getInputStream().read());
            accepted.shutdownOutput();
            assertEquals(-1, client.getInputStream().read());
        }
    }

    private static int port(TcpProxy proxy) {
        return Integer.parseInt(proxy.address().substring(proxy.address().indexOf(':') + 1));
    }
}
