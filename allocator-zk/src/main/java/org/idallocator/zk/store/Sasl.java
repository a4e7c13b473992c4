package org.idallocator.zk.store;

import java.util.Optional;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.client.ZKClientConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SASL login of ZooKeeper's client. It comes from the JVM's JAAS configuration, which the system property {@code
 * java.security.auth.login.config} names, and the client uses it wherever there is one.
 */
final class Sasl {
    private static final Logger LOG = LoggerFactory.getLogger(Sasl.class);
    private static final String USUAL_SECTION = "Client";

    private Sasl() {}

    /** The name of the section that the client logs in by; empty where there is none, or SASL is turned off. */
    static Optional<String> section(ZKClientConfig client) {
        String section = client.getProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, USUAL_SECTION);
        return client.isSaslClientEnabled() && exists(section) ? Optional.of(section) : Optional.empty();
    }

    /** A file that cannot be read is as good as none to the client, which tells so. */
    private static boolean exists(String section) {
        try {
            return Configuration.getConfiguration().getAppConfigurationEntry(section) != null;
        } catch (SecurityException | IllegalArgumentException e) {
            LOG.debug("there is no JAAS configuration", e);
            return false;
        }
    }
}
