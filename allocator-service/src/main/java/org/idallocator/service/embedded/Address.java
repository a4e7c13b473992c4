package org.idallocator.service.embedded;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.ZooKeeperSettings;

/**
 * Where the ZooKeeper of a directory serves, in a file beside the directory's lock. The process that has the lock writes it. What
 * it says may be out of date: the process may have been killed, and another program may have its port.
 *
 * @param version of this payload, 1
 * @param connect {@code host:port}, the host in brackets where it is one of IPv6, on the loopback interface
 * @param pid the process
 * @param host the machine of the process
 * @param identity the directory's {@link Identity#identity}
 */
record Address(int version, String connect, long pid, String host, String identity) {
    private static final int VERSION = 1;
    private static final Pattern CONNECT = Pattern.compile("(?:[^:/\\[\\]]+|\\[[0-9A-Fa-f:.]+\\]):([0-9]{1,5})");

    /** Throws {@link IllegalArgumentException} where {@code connect} is no address with a port 1..65535. */
    Address {
        int port = port(connect);
        if (port < 1 || port > ZooKeeperSettings.LARGEST_PORT) {
            throw new IllegalArgumentException(
                    "connect must be host:port with a port 1.." + ZooKeeperSettings.LARGEST_PORT + ": " + connect);
        }
    }

    /** {@code host:port}, as clients of ZooKeeper take it. */
    static String connect(InetAddress host, int port) {
        String text = host.getHostAddress();
        return (host instanceof Inet6Address ? "[" + text + "]" : text) + ":" + port;
    }

    private static int port(String connect) {
        Matcher parts = CONNECT.matcher(connect);
        return parts.matches() ? Integer.parseInt(parts.group(1)) : 0;
    }

    /** The address of a ZooKeeper that a process of this machine runs. */
    static Address of(Replica process, String connect, Identity identity) {
        return new Address(VERSION, connect, process.pid(), process.host(), identity.identity());
    }

    int port() {
        return port(connect);
    }

    /** Whether the process runs on this machine, as far as names of machines tell. */
    boolean onThisMachine() {
        return host.equals(Replica.local().host());
    }
}
