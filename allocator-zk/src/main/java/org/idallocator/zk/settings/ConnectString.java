package org.idallocator.zk.settings;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.common.PathUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what is wrong with an address of ZooKeeper: {@code host:port,host:port/chroot}, where {@code :2181} may be left out. The
 * client takes nearly any text, and then looks for hosts that do not exist, without end.
 */
final class ConnectString {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectString.class);
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://");
    private static final Pattern BRACKETS = Pattern.compile("(\\[[^\\[\\]]*])(?::(.*))?");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_.])?");
    private static final Pattern FOUR_BYTES =
            Pattern.compile("((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(\\.|$)){4}(?<!\\.)");

    private ConnectString() {}

    /** Why the address is none, in a few words; empty when it is one. */
    static Optional<String> mistake(String connect) {
        if (connect.isBlank()) {
            return Optional.of("it is blank");
        }
        if (connect.chars().anyMatch(Character::isWhitespace)) {
            return Optional.of("leave out the blanks");
        }
        if (connect.contains("@")) {
            return Optional.of("leave out the user and password, which zookeeper.auth is for");
        }
        Matcher scheme = SCHEME.matcher(connect);
        if (scheme.find()) {
            return Optional.of("leave out " + scheme.group());
        }
        if (connect.contains(";")) {
            return Optional.of("hosts are separated by commas");
        }
        int slash = connect.indexOf('/');
        String hosts = slash < 0 ? connect : connect.substring(0, slash);
        for (String host : hosts.split(",", -1)) {
            Optional<String> mistake = mistakeInHost(host);
            if (mistake.isPresent()) {
                return mistake;
            }
        }
        return slash < 0 ? Optional.empty() : mistakeInChroot(connect.substring(slash));
    }

    /** The client takes everything from the first slash on for the chroot. */
    private static Optional<String> mistakeInChroot(String chroot) {
        if (chroot.contains(",")) {
            return Optional.of("the chroot comes once, at the end");
        }
        if ((chroot + "/").startsWith("/zookeeper/")) {
            return Optional.of("/zookeeper is ZooKeeper's own");
        }
        return chroot.length() > 1 && isPath(chroot)
                ? Optional.empty()
                : Optional.of("a chroot is a path such as /ids: " + chroot);
    }

    private static Optional<String> mistakeInHost(String address) {
        Matcher brackets = BRACKETS.matcher(address);
        if (brackets.matches()) {
            return isIpv6(brackets.group(1))
                    ? mistakeInPort(Optional.ofNullable(brackets.group(2)))
                    : Optional.of(brackets.group(1) + " is no IPv6 address");
        }
        String[] parts = address.split(":", -1);
        if (parts.length > 2) {
            return Optional.of("an IPv6 address is in brackets, as in [::1]:2181: " + address);
        }
        if (parts[0].isEmpty()) {
            return Optional.of("a host is missing");
        }
        if (!isHost(parts[0])) {
            return Optional.of("no host has this name: " + parts[0]);
        }
        return mistakeInPort(parts.length == 2 ? Optional.of(parts[1]) : Optional.empty());
    }

    /** Digits and dots alone are an IPv4 address, or nothing. */
    private static boolean isHost(String name) {
        return name.matches("[0-9.]+")
                ? FOUR_BYTES.matcher(name).matches()
                : NAME.matcher(name).matches() && !name.contains("..");
    }

    private static Optional<String> mistakeInPort(Optional<String> port) {
        if (port.equals(Optional.of(""))) {
            return Optional.of("a port is missing behind the colon");
        }
        boolean good = port.isEmpty()
                || (port.get().matches("[0-9]{1,5}")
                        && Integer.parseInt(port.get()) >= 1
                        && Integer.parseInt(port.get()) <= ZooKeeperSettings.LARGEST_PORT);
        return good
                ? Optional.empty()
                : Optional.of("a port is 1.." + ZooKeeperSettings.LARGEST_PORT + ": " + port.get());
    }

    /** Asks no name server: what is in brackets is an address or nothing. */
    private static boolean isIpv6(String bracketed) {
        try {
            return InetAddress.getByName(bracketed).getAddress().length > 0;
        } catch (UnknownHostException e) {
            LOG.debug("{} is no address", bracketed, e);
            return false;
        }
    }

    /** Whether ZooKeeper takes this for the path of a node. */
    static boolean isPath(String path) {
        try {
            PathUtils.validatePath(path);
            return true;
        } catch (IllegalArgumentException e) {
            LOG.debug("{} is no path", path, e);
            return false;
        }
    }
}
