package org.idallocator.zk.store;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.X509Util;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.idallocator.zk.settings.Shown;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SASL login of ZooKeeper's client. It comes from the JVM's JAAS configuration, which the system property {@code
 * java.security.auth.login.config} names, and the client uses it wherever there is one.
 */
final class Sasl {
    private static final Logger LOG = LoggerFactory.getLogger(Sasl.class);
    private static final String USUAL_SECTION = "Client";
    private static final String FILE = "java.security.auth.login.config";

    private Sasl() {}

    /**
     * The name of the section that the client logs in by, or would if there were one; empty where nobody asks for a login, or SASL is
     * turned off. Without a section that is asked for, ZooKeeper's client goes on as anybody.
     */
    static Optional<String> section(ZKClientConfig client) {
        return section(client, Optional.ofNullable(client.getJaasConfKey()));
    }

    private static Optional<String> section(ZKClientConfig client, Optional<String> file) {
        String section = client.getProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, USUAL_SECTION);
        boolean asked = file.isPresent() || client.getProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY) != null;
        return client.isSaslClientEnabled() && (asked || !modules(section).isEmpty())
                ? Optional.of(section)
                : Optional.empty();
    }

    /** Why the client cannot log in, whatever the server says; empty where it may, or nobody asks for a login. */
    static Optional<String> trouble(ZKClientConfig client) {
        return trouble(client, Optional.ofNullable(client.getJaasConfKey()));
    }

    /** The same with another file of the JVM's JAAS configuration, which the configuration need not have been read from. */
    static Optional<String> trouble(ZKClientConfig client, Optional<String> file) {
        Optional<String> section = section(client, file);
        List<String> modules = section.map(Sasl::modules).orElse(List.of());
        if (section.isPresent() && modules.isEmpty()) {
            return Optional.of("there is no section " + section.get() + " in "
                    + file.map(Shown::of).orElse("a JAAS configuration, as -D" + FILE + "=FILE names none")
                    + ", or it cannot be read; where no login is wanted, set " + ZKClientConfig.ENABLE_CLIENT_SASL_KEY
                    + ": \"false\" in zookeeper.properties");
        }
        return section.filter(any -> modules.contains(DigestLoginModule.class.getName()))
                .filter(any -> X509Util.getFipsMode(client))
                .map(name ->
                        "the login of section " + name + " by user and password takes " + X509Util.FIPS_MODE_PROPERTY
                                + ": \"false\" in zookeeper.properties, and -D" + X509Util.FIPS_MODE_PROPERTY
                                + "=false on ZooKeeper's servers");
    }

    /** The classes that a section logs in by. A file that cannot be read is as good as none to the client, which tells so. */
    private static List<String> modules(String section) {
        try {
            return Stream.ofNullable(Configuration.getConfiguration().getAppConfigurationEntry(section))
                    .flatMap(Stream::of)
                    .map(AppConfigurationEntry::getLoginModuleName)
                    .toList();
        } catch (SecurityException | IllegalArgumentException e) {
            LOG.debug("there is no JAAS configuration", e);
            return List.of();
        }
    }
}
