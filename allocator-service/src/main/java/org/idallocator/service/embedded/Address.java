package org.idallocator.service.embedded;

import java.net.Inet6Address;
import java.net.InetAddress;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.ZooKeeperSettings;

/**
 * Where the ZooKeeper of a directory serves. The owner of the directory's lock publishes it in a file beside the lock. The file of
 * a process that was killed stays, until the next owner deletes it.
 *
 * @param version of this payload, 1
 * @param connect {@code host:port}, the host in brackets where it is one of IPv6, on the loopback interface
 * @param pid the process
 * @param host the machine of the process
 * @param identity the directory's {@link Identity#identity}
 */
record Address(int version, String connect, long pid, String host, String identity) {
    private static final int VERSION = 1;
    private static final Replica PROCESS = Replica.local();

    /** Throws {@link IllegalArgumentException} where {@code connect} is no address with a port 1..65535. */
    Address {
        int port = port(connect);
        if (port < 1 || port > ZooKeeperSettings.LARGEST_PORT) {
            throw new IllegalArgumentException(
                    "connect must be host:port with a port 1.." + ZooKeeperSettings.LARGEST_PORT + ": " + connect);
        }
    }

    /** The address of a ZooKeeper that this process runs. */
    static Address of(String identity, int port) {
        String connect = connect(InetAddress.getLoopbackAddress(), port);
        return new Address(VERSION, connect, PROCESS.pid(), PROCESS.host(), identity);
    }

    /** {@code host:port}, as clients of ZooKeeper take it. */
    static String connect(InetAddress host, int port) {
        String text = host.getHostAddress();
        return (host instanceof Inet6Address ? "[" + text + "]" : text) + ":" + port;
    }

    private static int port(String connect) {
        return Integer.parseInt(connect.substring(connect.lastIndexOf(':') + 1));
    }

    int port() {
        return port(connect);
    }

    /** Whether the process runs on this machine, as far as names of machines tell. */
    boolean onThisMachine() {
        return host.equals(PROCESS.host());
    }
}
