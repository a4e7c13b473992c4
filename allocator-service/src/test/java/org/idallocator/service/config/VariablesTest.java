package org.idallocator.service.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.core.Application;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Variables of the environment in a file. */
class VariablesTest {
    private static final Application<AllocatorConfiguration> PROGRAM = new Application<>() {
        @Override
        public void run(AllocatorConfiguration configuration, Environment environment) {}
    };

    private static AllocatorSection read(String text, Map<String, String> environment)
            throws IOException, ConfigurationException {
        Bootstrap<AllocatorConfiguration> bootstrap = new Bootstrap<>(PROGRAM);
        StrictConfigurationFactory.install(bootstrap, new Variables(environment::get));
        return bootstrap
                .getConfigurationFactoryFactory()
                .create(
                        AllocatorConfiguration.class,
                        bootstrap.getValidatorFactory().getValidator(),
                        bootstrap.getObjectMapper(),
                        "dw")
                .build(path -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "config.yml")
                .allocator();
    }

    private static List<String> mistakes(String text, Map<String, String> environment) {
        return List.copyOf(assertThrows(ConfigurationException.class, () -> read(text, environment))
                .getErrors());
    }

    /** No character of a value is one of YAML's, and a value is no variable. */
    @ParameterizedTest
    @ValueSource(strings = {"/My #1/data", "/a: b", "/a, b}", "/it's \"it\"", "/a\\nb", "/${DATA}", "/$1"})
    void shouldTakeAValueAsItIs(String value) throws IOException, ConfigurationException {
        for (String written : List.of("${DATA}", "${DATA:-/x}", "'${DATA}'", "\"${DATA}\"")) {
            String text = "allocator: {zookeeper: {embedded: {enabled: true, dataDir: " + written + "}}}";

            assertEquals(
                    Path.of(value), read(text, Map.of("DATA", value)).embedded().dataDir());
        }
    }

    @Test
    void shouldTakeAnEmptyVariableForAnEmptyKey() throws IOException, ConfigurationException {
        AllocatorSection section = read(
                "allocator: {window: ${WINDOW}, schemes: {eightbyte: {clusterId: ${CLUSTER}}}}",
                Map.of("WINDOW", "", "CLUSTER", "7"));

        assertEquals(10, section.settings().window().toSeconds());
        assertEquals(7, section.settings().clusterId().orElseThrow());
    }

    @Test
    void shouldNameTheVariableThatABadValueIsFrom() {
        assertEquals(
                List.of(
                        "line 2, ${WINDOW}: allocator.window must be a number and a unit, such as 10s or 500ms: ten",
                        "line 3: allocator.maxWait must be 1 ms or more: 1 ns",
                        "line 4, ${HOST}, ${NUMBER}: allocator.instance must be 1..100 of [A-Za-z0-9._-]: a b-5 6",
                        "line 5, ${DATA}: allocator.zookeeper.embedded.dataDir must be an absolute path, or begin with ~/ for"
                                + " the home directory: data"),
                mistakes("""
                        allocator:
                          window: ${WINDOW:-5s}
                          maxWait: ${NONE:-1ns}
                          instance: ${HOST}-${NUMBER}
                          zookeeper: {embedded: {enabled: true, dataDir: ${DATA}}}
                        """, Map.of("WINDOW", "ten", "HOST", "a b", "NUMBER", "5 6", "DATA", "data")));
    }

    @Test
    void shouldRefuseAVariableForAKey() {
        assertEquals(
                List.of("line 1: logging.loggers.${A} must be a key as it is: a variable stands for a value only"),
                mistakes("logging: {loggers: {${A}: INFO}}", Map.of("A", "a.b")));
    }
}
