package org.idallocator.service.bundle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.configuration.EnvironmentVariableSubstitutor;
import io.dropwizard.configuration.SubstitutingSourceProvider;
import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.idallocator.service.config.AllocatorSection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program that somebody else wrote has its file read strictly by one call, with keys and classes of its own. */
class ReadStrictlyTest {
    private static final Application<Settings> PROGRAM = new Application<>() {
        @Override
        public void run(Settings settings, Environment environment) {}
    };

    /** Written as Jackson allows: with annotations and without. */
    public static final class Settings extends Configuration {
        public int shelves = 1;

        private String name = "";

        private Owner owner = new Owner();

        @JsonProperty
        private AllocatorSection ids = new AllocatorSection();

        public void setName(String name) {
            this.name = name;
        }

        public Owner getOwner() {
            return owner;
        }

        public void setOwner(Owner owner) {
            this.owner = owner;
        }
    }

    /** A section whose name does not tell that. */
    public static final class Owner {
        public String mail = "";
    }

    private final Bootstrap<Settings> bootstrap = new Bootstrap<>(PROGRAM);

    private Settings read(String text) throws IOException, ConfigurationException {
        bootstrap.setConfigurationSourceProvider(
                path -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        IdAllocatorBundle.readStrictly(bootstrap);
        return bootstrap
                .getConfigurationFactoryFactory()
                .create(
                        Settings.class,
                        bootstrap.getValidatorFactory().getValidator(),
                        bootstrap.getObjectMapper(),
                        "dw")
                .build(bootstrap.getConfigurationSourceProvider(), "shop.yml");
    }

    private List<String> mistakes(String text) {
        return List.copyOf(
                assertThrows(ConfigurationException.class, () -> read(text)).getErrors());
    }

    @Test
    void shouldReadTheProgramsOwnKeys() throws IOException, ConfigurationException {
        Settings settings = read(
                "{shelves: 5, name: '$${NOPE_NOPE}', owner: {mail: '${NOPE_NOPE:-a}'}, ids: {window: 5s, instance: }}");

        assertEquals(5, settings.shelves);
        assertEquals("${NOPE_NOPE}", settings.name);
        assertEquals("a", settings.owner.mail);
        assertEquals(5, settings.ids.settings().window().toSeconds());
    }

    /** What the section says is held against the program's server, wherever the program has the section. */
    @Test
    void shouldTellWhatTheProgramsServerDoesNotAllow() {
        assertEquals(
                List.of(
                        "line 1: ids.limits.requests must be 1..2 where server.maxThreads is 15, because connectors and health"
                                + " checks need 13 threads: 3"),
                mistakes("{ids: {limits: {requests: 3}}, server: {maxThreads: 15}}"));
    }

    @Test
    void shouldTellAllMistakesByTheProgramsOwnKeys() {
        assertEquals(
                List.of(
                        "line 1: shelves must be a whole number: many",
                        "line 2: the file has no key nam; did you mean name?",
                        "line 3: owner must have keys of its own, not a single value",
                        "line 5: ids.window must be positive: 0 ms",
                        "line 6: ids.schemes has no key snow; did you mean sno?",
                        "line 7: logging.level must be one of OFF, ERROR, WARN, INFO, DEBUG, TRACE, ALL: LOUD"),
                mistakes("""
                        shelves: many
                        nam: ${NAME_OF_A_SHOP:-a}
                        owner: me
                        ids:
                          window: 0s
                          schemes: {snow: {}}
                        logging: {level: LOUD}
                        """));
        assertEquals(
                List.of("line 1: name needs the environment variable NOPE_NOPE, which is not set; set it, or give a"
                        + " default, as in ${NOPE_NOPE:-default}"),
                mistakes("name: ${NOPE_NOPE}"));
    }

    /** What is written is taken as written where a text belongs, and as YAML has it elsewhere. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0123",
                "1_000",
                "1e5",
                "0x1F",
                "1.50",
                "+5",
                "no",
                "ON",
                "2026-01-01",
                "12345678901234567890",
                "1:30",
                "5"
            })
    void shouldTakeATextAsWritten(String text) throws IOException, ConfigurationException {
        assertEquals(text, read("name: " + text).name);
    }

    @Test
    void shouldReadWhatIsNoTextAsYamlHasThat() throws IOException, ConfigurationException {
        assertEquals(12, read("shelves: 12").shelves);
        assertEquals(12, read("shelves: ${NOPE_NOPE:-12}").shelves);
        assertTrue(read("ids: {zookeeper: {embedded: {enabled: yes, dataDir: /a}}}")
                .ids
                .embedded()
                .enabled());
        assertEquals(List.of("line 1: shelves must be a whole number: 1_000"), mistakes("shelves: 1_000"));
    }

    /** No character of a value is one of YAML's. */
    @ParameterizedTest
    @ValueSource(strings = {"/tmp/My #1/data", "a: b", "a, b", "[a", "it's", "\"", "*a", "@a", "- a", "a\\nb"})
    void shouldTakeAValueOfAVariableAsWritten(String value) throws IOException, ConfigurationException {
        assertEquals(value, read("name: ${NOPE_NOPE:-" + value + "}").name);
        assertEquals("a" + value, read("{name: a${NOPE_NOPE:-" + value + "}}").name);
        assertEquals(value + "b", read("name: '${NOPE_NOPE:-" + value + "}b' # ${NOPE_NOPE}").name);
    }

    @Test
    void shouldNameTheVariableThatIsNotSetInAList() {
        assertEquals(
                List.of(
                        "line 1: ids.zookeeper.auth[0] needs the environment variable NOPE_NOPE, which is not set; set it,"
                                + " or give a default, as in ${NOPE_NOPE:-default}"),
                mistakes("ids: {zookeeper: {auth: [${NOPE_NOPE}]}}"));
    }

    /** Requests are read as the program set it up. */
    @Test
    void shouldLeaveTheProgramsMapperAsItIs() throws IOException, ConfigurationException {
        read("{shelves: 1}");

        assertEquals(0, bootstrap.getObjectMapper().readValue("{\"shelves\": 0.7, \"x\": 1}", Settings.class).shelves);
    }

    @Test
    void shouldRefuseToReplaceVariablesTwice() {
        bootstrap.setConfigurationSourceProvider(new SubstitutingSourceProvider(
                bootstrap.getConfigurationSourceProvider(), new EnvironmentVariableSubstitutor(false)));

        String message = String.valueOf(
                assertThrows(IllegalStateException.class, () -> IdAllocatorBundle.readStrictly(bootstrap))
                        .getMessage());
        assertTrue(message.contains("leave out the program's own SubstitutingSourceProvider"), message);
    }
}
