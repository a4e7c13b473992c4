package org.idallocator.dropwizard.logging;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.dropwizard.logging.common.DefaultLoggingFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * Loggers of libraries that say less than by default. Some log at each try what the allocator logs once and knows
 * better. Some call something usual an error.
 */
public final class QuietLoggers {
    private static final Map<String, Level> LEVELS = Map.ofEntries(
            // Below INFO it logs the token of the admin port.
            Map.entry("org.eclipse.jetty", Level.INFO),
            // A start that fails says why in one line anyway.
            Map.entry("io.dropwizard.core.cli.ServerCommand", Level.OFF),
            // Each start, drain and stop would be an error. Readiness, and the log of leases, tell what is one.
            Map.entry("io.dropwizard.health.HealthCheckManager", Level.OFF),
            // While ZooKeeper is away, its clients have a line or more at each try.
            Map.entry("org.apache.zookeeper", Level.WARN),
            Map.entry("org.apache.zookeeper.ClientCnxn", Level.ERROR),
            Map.entry("org.apache.zookeeper.ClientCnxnSocketNetty", Level.OFF),
            Map.entry("org.apache.zookeeper.client.StaticHostProvider", Level.OFF),
            Map.entry("org.apache.zookeeper.common.X509Util", Level.ERROR),
            Map.entry("org.apache.zookeeper.common.ClientX509Util", Level.ERROR),
            Map.entry("org.apache.zookeeper.common.ZKTrustManager", Level.OFF),
            Map.entry("org.apache.curator", Level.WARN),
            Map.entry("org.apache.curator.ConnectionState", Level.OFF),
            Map.entry("org.apache.curator.framework.imps.CuratorFrameworkImpl", Level.OFF),
            Map.entry("org.apache.curator.framework.state.ConnectionStateManager", Level.ERROR),
            Map.entry("io.netty.channel.ChannelInitializer", Level.ERROR),
            // The embedded ZooKeeper has no bound on connections, which are all of this machine.
            Map.entry("org.apache.zookeeper.server.ServerCnxnFactory", Level.ERROR),
            // A log that ends in the middle is usual after a kill, and while its disk is full, at each start.
            Map.entry("org.apache.zookeeper.server.persistence.Util", Level.OFF));

    private QuietLoggers() {}

    /**
     * Gives each of these loggers its level, unless the configuration names the logger itself. Never makes a logger
     * louder: if the configuration has a quieter level for all loggers or for a parent, that level holds.
     */
    public static void addTo(DefaultLoggingFactory logging) {
        Map<String, JsonNode> all = new HashMap<>(logging.getLoggers());
        LEVELS.forEach((name, level) -> {
            Level above = inherited(name, logging);
            Level quieter = level.isGreaterOrEqual(above) ? level : above;
            all.putIfAbsent(name, TextNode.valueOf(quieter.toString()));
        });
        logging.setLoggers(all);
    }

    /** The level that a logger has by the configuration: its own, or that of the nearest one above it. */
    private static Level inherited(String name, DefaultLoggingFactory logging) {
        JsonNode configured = logging.getLoggers().get(name);
        if (configured != null) {
            return level(configured);
        }
        int parent = name.lastIndexOf('.');
        return parent < 0 ? level(TextNode.valueOf(logging.getLevel())) : inherited(name.substring(0, parent), logging);
    }

    /**
     * Reads a level as Dropwizard does. YAML takes {@code OFF} without quotes for {@code false}; a logger with
     * appenders is an object.
     */
    private static Level level(JsonNode written) {
        String text = written.isObject() ? written.path("level").asText() : written.asText();
        return switch (text) {
            case "false" -> Level.OFF;
            case "true" -> Level.TRACE;
            default -> Level.toLevel(text, Level.INFO);
        };
    }
}
