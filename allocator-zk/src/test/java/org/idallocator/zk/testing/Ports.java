package org.idallocator.zk.testing;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * Ports for servers that are killed and come back on the same one. They lie below the range from which systems take
 * ports for outgoing connections, so that none of those sits on a port while its server is down.
 */
public final class Ports {
    private static final int FIRST = 20_000;
    private static final int BEHIND_LAST = 32_000;

    /** No port is given twice, as tests run side by side, and one may sit on it while its server is down. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private Ports() {}

    /** Different ports that nobody listens on. */
    public static List<Integer> free(int count) {
        return Stream.generate(() -> ThreadLocalRandom.current().nextInt(FIRST, BEHIND_LAST))
                .filter(Ports::isFree)
                .filter(GIVEN::add)
                .limit(count)
                .toList();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
