package org.idallocator.service.embedded;

import org.idallocator.zk.settings.Replica;

/**
 * Where the ZooKeeper of a directory serves, in a file beside the directory's lock. The process that has the lock writes it. What
 * it says may be out of date: the process may have been killed, and another program may have its port.
 *
 * @param version of this payload, 1
 * @param connect {@code host:port}, on the loopback interface
 * @param pid the process
 * @param host the machine of the process
 * @param identity the directory's {@link Identity#identity}
 */
record Address(int version, String connect, long pid, String host, String identity) {
    private static final int VERSION = 1;

    /** The address of a ZooKeeper that a process of this machine runs. */
    static Address of(Replica process, String connect, Identity identity) {
        return new Address(VERSION, connect, process.pid(), process.host(), identity.identity());
    }

    int port() {
        return Integer.parseInt(connect.substring(connect.lastIndexOf(':') + 1));
    }

    /** Whether the process runs on this machine, as far as names of machines tell. */
    boolean onThisMachine() {
        return host.equals(Replica.local().host());
    }
}
