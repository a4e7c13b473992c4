package org.idallocator.zk.store;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.regex.Pattern;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.junit.jupiter.api.Test;

@ProofOnly("measures time")
class ConnectionTest {
    private static final Duration SESSION = Duration.ofSeconds(30);

    /** ZooKeeper's client goes on waiting for an answer when it is closed: for as long as a session lasts. */
    @Test
    void shouldEndWhenItSaysSoWhereAServerTakesConnectionsAndDoesNotAnswer() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + silent.getLocalPort();
            ZooKeeperSettings settings = ZooKeeperSettings.of(address).withSessionTimeout(SESSION);

            StoreException e = assertTimeoutPreemptively(
                    Proof.size(HangGuard.TIME, SESSION.dividedBy(2)),
                    () -> assertThrows(StoreException.class, () -> Connection.open(settings, Duration.ofSeconds(1))));
            String seconds = Proof.size("[0-9]+", "1"); // as many as it took
            String told = String.valueOf(e.getMessage());
            assertTrue(told.matches("no answer from " + Pattern.quote(address) + " within " + seconds + " s"), told);
        }
    }
}
