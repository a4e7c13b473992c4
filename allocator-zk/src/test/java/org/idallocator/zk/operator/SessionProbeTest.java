package org.idallocator.zk.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Why a server of the ensemble gives no session. */
final class SessionProbeTest {

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new ConnectException("Connection refused"), "nothing listens there"),
                Arguments.of(
                        new SocketTimeoutException("Connect timed out"),
                        "no answer within 1000 ms: the host is down, or a firewall drops this"),
                Arguments.of(new NoRouteToHostException("No route to host"), "it cannot be reached: No route to host"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void shouldSayWhyNoConnectionIsMade(IOException why, String said) {
        assertEquals(said, SessionProbe.trouble(why));
    }
}
