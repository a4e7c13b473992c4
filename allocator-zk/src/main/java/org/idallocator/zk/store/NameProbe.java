package org.idallocator.zk.store;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.apache.zookeeper.client.ConnectStringParser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which host names of a connect string do not resolve to an address. ZooKeeper's own client goes on to the next server,
 * and tells nobody but its log, with a stack trace at each try. Takes as long as the servers of names take.
 */
final class NameProbe {
    private static final Logger LOG = LoggerFactory.getLogger(NameProbe.class);

    private final String connect;

    /** {@code connect} is the connect string that has the names. */
    NameProbe(String connect) {
        this.connect = connect;
    }

    /** The names without an address, in the order of the connect string. */
    List<String> unresolved() {
        return new ConnectStringParser(connect)
                .getServerAddresses().stream()
                        .map(server -> server.getHostString())
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
