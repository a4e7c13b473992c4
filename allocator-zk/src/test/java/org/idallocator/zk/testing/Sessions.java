package org.idallocator.zk.testing;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.idallocator.core.testing.HangGuard;

/** Ends ZooKeeper sessions from outside. */
public final class Sessions {
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final long SERVER_SECRET = 0XB3415C00L;

    private Sessions() {}

    /**
     * Takes a session over from its client and closes it. When this returns, the session's ephemeral nodes are gone,
     * and to the client the session has expired.
     *
     * @param session the session, as a lease names it: {@code 0x1000…}
     */
    public static void expire(String connectString, String session) throws InterruptedException, IOException {
        long id = Long.parseUnsignedLong(session.substring("0x".length()), 16);
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper usurper = new ZooKeeper(
                connectString,
                TIMEOUT_MILLIS,
                event -> {
                    if (event.getState() == KeeperState.SyncConnected) {
                        connected.countDown();
                    }
                },
                id,
                password(id));
        boolean inTime = connected.await(HangGuard.TIME.toSeconds(), TimeUnit.SECONDS);
        usurper.close((int) HangGuard.TIME.toMillis());
        if (!inTime) {
            throw new IllegalStateException("session " + session + " could not be taken over");
        }
    }

    /** The password that ZooKeeperServer gives a session. It is made from the session's number, so it is no secret. */
    private static byte[] password(long session) {
        byte[] password = new byte[16];
        new Random(session ^ SERVER_SECRET).nextBytes(password);
        return password;
    }
}
