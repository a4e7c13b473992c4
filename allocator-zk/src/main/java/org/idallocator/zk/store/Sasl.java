package org.idallocator.zk.store;

import java.util.Optional;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.client.ZKClientConfig;
import org.idallocator.zk.settings.Shown;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SASL login of ZooKeeper's client. It comes from the JVM's JAAS configuration, which the system property
 * {@code java.security.auth.login.config} names, and the client uses it wherever there is one.
 */
final class Sasl {
    private static final Logger LOG = LoggerFactory.getLogger(Sasl.class);
    private static final String USUAL_SECTION = "Client";

    private Sasl() {}

    /**
     * The name of the section that the client logs in by, or would if there were one; empty where nobody asks for a
     * login, or SASL is turned off.
     */
    static Optional<String> section(ZKClientConfig client) {
        Optional<String> named = Optional.ofNullable(client.getProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY));
        String section = named.orElse(USUAL_SECTION);
        boolean asked = named.isPresent() || client.getJaasConfKey() != null || exists(section);
        return Optional.of(section).filter(any -> asked && client.isSaslClientEnabled());
    }

    /**
     * What to do where a login is asked for and its section is missing; empty otherwise. Without the section,
     * ZooKeeper's client goes on as anybody.
     */
    static Optional<String> missing(ZKClientConfig client) {
        String file = Optional.ofNullable(client.getJaasConfKey())
                .map(Shown::of)
                .orElse("a JAAS configuration, as -Djava.security.auth.login.config=FILE names none");
        return section(client)
                .filter(section -> !exists(section))
                .map(section -> "there is no section " + section + " in " + file
                        + ", or it cannot be read; where no login is wanted, set "
                        + ZKClientConfig.ENABLE_CLIENT_SASL_KEY + ": \"false\" in zookeeper.properties");
    }

    /** A file that cannot be read is as good as none to the client. */
    private static boolean exists(String section) {
        try {
            return Configuration.getConfiguration().getAppConfigurationEntry(section) != null;
        } catch (SecurityException | IllegalArgumentException e) {
            LOG.debug("there is no JAAS configuration", e);
            return false;
        }
    }
}
