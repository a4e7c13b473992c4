package org.idallocator.zk.store;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which host names of a connect string do not resolve to an address. ZooKeeper's own client goes on to the
 * next server, and tells nobody but its log, with a stack trace at each try. Takes as long as the servers of names
 * take.
 */
final class NameProbe {
    private static final Logger LOG = LoggerFactory.getLogger(NameProbe.class);

    private final List<InetSocketAddress> servers;

    /** {@code servers} are those that may have names. */
    NameProbe(List<InetSocketAddress> servers) {
        this.servers = List.copyOf(servers);
    }

    /** Looks all names up. Returns those without an address, in the servers' order. */
    List<String> findUnresolved() {
        return servers.stream()
                .map(InetSocketAddress::getHostString)
                .distinct()
                .filter(name -> !resolves(name))
                .toList();
    }

    private static boolean resolves(String name) {
        try {
            return InetAddress.getAllByName(name).length > 0;
        } catch (UnknownHostException e) {
            LOG.debug("a name has no address", e);
            return false;
        }
    }

    /** {@code a and b do not resolve to an address}; {@code names} are one or more. */
    static String inWords(List<String> names) {
        return String.join(" and ", names) + (names.size() == 1 ? " does" : " do") + " not resolve to an address";
    }
}
