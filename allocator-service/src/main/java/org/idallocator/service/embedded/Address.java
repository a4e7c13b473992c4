package org.idallocator.service.embedded;

import java.net.InetAddress;
import org.eclipse.jetty.util.HostPort;
import org.idallocator.zk.settings.Replica;

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
        if (!new HostPort(connect).hasPort()) {
            throw new IllegalArgumentException("connect must be host:port: " + connect);
        }
    }

    /** The address of a ZooKeeper that this process runs. */
    static Address of(String identity, int port) {
        HostPort connect = new HostPort(InetAddress.getLoopbackAddress().getHostAddress(), port);
        return new Address(VERSION, connect.toString(), PROCESS.pid(), PROCESS.host(), identity);
    }

    int port() {
        return new HostPort(connect).getPort();
    }

    /** Whether the process runs on this machine, as far as names of machines tell. */
    boolean onThisMachine() {
        return host.equals(PROCESS.host());
    }
}
