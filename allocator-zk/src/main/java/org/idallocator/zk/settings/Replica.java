package org.idallocator.zk.settings;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.idallocator.core.id.BadValueException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a lease tells operators about its holder. Nothing here keeps IDs apart: a tenure is known by its nonce.
 *
 * @param instance names the replica in {@code /members}: 1 to 100 of {@code [A-Za-z0-9._-]}, but not {@code .} or
 *     {@code ..}
 * @param host where it runs
 * @param pid its process ID
 * @param url where it answers HTTP, without a user and password; empty when it does not
 */
public record Replica(String instance, String host, long pid, String url) {
    private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

    /** A host of containers may have an underscore, which no host of a {@link java.net.URI} has. */
    private static final Pattern ADDRESS = Pattern.compile("https?://[A-Za-z0-9_.:%\\[\\]-]+([/?#][^\\s@<>\"]*)?");

    /** Throws {@link BadValueException} that names the first bad key, and what is allowed. */
    public Replica {
        Shown.require(isInstance(instance), "instance", "must be 1..100 of [A-Za-z0-9._-]", instance);
        Shown.require(
                url.isEmpty() || ADDRESS.matcher(url).matches(),
                "url",
                "must be where this replica answers HTTP, such as http://host:8080, without a user and password",
                url);
    }

    /** Whether a replica may have this name. */
    public static boolean isInstance(String name) {
        return NodeName.isAllowed(name);
    }

    /** This process on this host, named by its host and process ID, without a URL. */
    public static Replica local() {
        return named(hostName() + "-" + ProcessHandle.current().pid(), "");
    }

    /** This process on this host, under a name that the caller chooses. */
    public static Replica named(String instance, String url) {
        return new Replica(instance, hostName(), ProcessHandle.current().pid(), url);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            LOG.warn("the name of this host is not known; leases will say localhost", e);
            return "localhost";
        }
    }
}
