package org.idallocator.service.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.dropwizard.jackson.Jackson;
import io.dropwizard.logging.common.DefaultLoggingFactory;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.idallocator.service.AllocatorConfiguration;
import org.junit.jupiter.api.Test;

/** Which loggers a configuration has, also one that says nothing of them. */
class QuietLoggersTest {
    private static final String TRIES = "org.apache.zookeeper.ClientCnxn";
    private static final String READINESS = "io.dropwizard.health.HealthCheckManager";

    private static Map<String, String> levels(String file) throws IOException {
        AllocatorConfiguration configuration =
                Jackson.newObjectMapper(new YAMLFactory()).readValue(file, AllocatorConfiguration.class);
        DefaultLoggingFactory logging = (DefaultLoggingFactory) configuration.getLoggingFactory();
        Map<String, JsonNode> loggers = new TreeMap<>(logging.getLoggers());
        return loggers.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, logger -> logger.getValue().asText(), (one, other) -> one, TreeMap::new));
    }

    @Test
    void shouldBeQuietWhenAFileSaysNothingOfLoggers() throws IOException {
        assertEquals(
                """
                io.dropwizard.core.cli.ServerCommand OFF
                io.dropwizard.health.HealthCheckManager OFF
                io.netty.channel.ChannelInitializer ERROR
                org.apache.curator WARN
                org.apache.curator.ConnectionState OFF
                org.apache.curator.framework.imps.CuratorFrameworkImpl OFF
                org.apache.curator.framework.state.ConnectionStateManager ERROR
                org.apache.zookeeper WARN
                org.apache.zookeeper.ClientCnxn ERROR
                org.apache.zookeeper.ClientCnxnSocketNetty OFF
                org.apache.zookeeper.client.StaticHostProvider OFF
                org.apache.zookeeper.common.ClientX509Util ERROR
                org.apache.zookeeper.common.X509Util ERROR
                org.apache.zookeeper.common.ZKTrustManager OFF
                org.apache.zookeeper.server.ServerCnxnFactory ERROR
                org.apache.zookeeper.server.persistence.Util OFF
                org.eclipse.jetty INFO
                """,
                levels("{}").entrySet().stream()
                        .map(logger -> logger.getKey() + " " + logger.getValue() + "\n")
                        .collect(Collectors.joining()));
        assertEquals(levels("{}"), levels("logging: {loggers: {}, appenders: [{type: console}]}"));
    }

    @Test
    void shouldTakeTheLevelOfTheOperatorWhenThereIsOne() throws IOException {
        Map<String, String> levels =
                levels("logging: {loggers: {" + TRIES + ": DEBUG, " + READINESS + ": INFO, com.example: TRACE}}");

        assertEquals("DEBUG", levels.get(TRIES));
        assertEquals("INFO", levels.get(READINESS));
        assertEquals("TRACE", levels.get("com.example"));
        assertEquals("WARN", levels.get("org.apache.zookeeper"));
    }

    @Test
    void shouldLeaveALoggerWithAppendersAsItIs() throws IOException {
        Map<String, String> levels = levels("logging: {loggers: {" + TRIES + ": {level: INFO, additive: false}}}");

        assertEquals("", levels.get(TRIES), "it is still an object");
    }

    /** A log that is to have warnings alone gets no lines from what is quieter by default. */
    @Test
    void shouldMakeNoLoggerLouderThanTheConfigurationHasIt() throws IOException {
        Map<String, String> warnings = levels("logging: {level: WARN}");
        Map<String, String> errors = levels("logging: {level: ERROR}");
        Map<String, String> above = levels("logging: {loggers: {org.apache: {level: ERROR}, org.eclipse: OFF}}");

        assertEquals("WARN", warnings.get("org.eclipse.jetty"));
        assertEquals("ERROR", warnings.get(TRIES));
        assertEquals("ERROR", errors.get("org.apache.curator"));
        assertEquals("OFF", errors.get(READINESS));
        assertEquals("ERROR", above.get("org.apache.zookeeper"));
        assertEquals("OFF", above.get("org.eclipse.jetty"));
        assertTrue(levels("logging: {level: OFF}").values().stream().allMatch("OFF"::equals));
    }

    /** Somebody looks for something: what would write for each try, or the admin port's token, stays as it is. */
    @Test
    void shouldStayQuietWhenAllElseIsLoud() throws IOException {
        Map<String, String> levels = levels("logging: {level: DEBUG}");

        assertEquals("INFO", levels.get("org.eclipse.jetty"));
        assertEquals("OFF", levels.get("org.apache.curator.ConnectionState"));
    }
}
