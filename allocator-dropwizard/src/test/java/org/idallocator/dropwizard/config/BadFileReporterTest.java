package org.idallocator.dropwizard.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dropwizard.configuration.ConfigurationSourceProvider;
import io.dropwizard.configuration.DefaultConfigurationFactoryFactory;
import io.dropwizard.core.Configuration;
import io.dropwizard.jackson.Jackson;
import io.dropwizard.jersey.validation.Validators;
import jakarta.validation.ValidationException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whose mistake it is when a configuration file cannot be used. */
class BadFileReporterTest {
    private static Configuration read(ConfigurationSourceProvider files) throws Exception {
        return BadFileReporter.wrap(new DefaultConfigurationFactoryFactory<Configuration>())
                .create(Configuration.class, Validators.newValidator(), Jackson.newObjectMapper(), "dw")
                .build(files, "config.yml");
    }

    @Test
    void shouldBlameAFileThatCannotBeUsed() {
        byte[] text = "a: [b".getBytes(StandardCharsets.UTF_8);

        BadFileException bad = assertThrows(BadFileException.class, () -> read(path -> new ByteArrayInputStream(text)));
        assertEquals("config.yml", bad.file());
        assertEquals(1, bad.errors().size());
    }

    static List<Exception> mistakesOfOthers() {
        return List.of(
                new NullPointerException("of the program"),
                new IllegalStateException("of the program"),
                new ValidationException("a check is broken"),
                new IOException("the file cannot be read"));
    }

    /** A mistake of the program ends in a stack trace, and not in one line that blames the file. */
    @ParameterizedTest
    @MethodSource("mistakesOfOthers")
    void shouldThrowOnWhatIsNotOfTheFile(Exception mistake) {
        assertSame(
                mistake,
                assertThrows(
                        mistake.getClass(),
                        () -> read(path -> {
                            if (mistake instanceof IOException unreadable) {
                                throw unreadable;
                            }
                            throw (RuntimeException) mistake;
                        })));
    }
}
