package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.testing.ResourceHelpers;
import io.dropwizard.util.JarLocation;
import io.dropwizard.validation.selfvalidating.SelfValidating;
import io.dropwizard.validation.selfvalidating.SelfValidation;
import io.dropwizard.validation.selfvalidating.ViolationCollector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.idallocator.core.id.BadValueException;
import org.idallocator.dropwizard.admin.TokenFileException;
import org.idallocator.dropwizard.cli.CommandException;
import org.idallocator.dropwizard.cli.Program;
import org.idallocator.dropwizard.cli.Streams;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.junit.jupiter.api.Test;

/** What a start that fails says, where the file is in order. */
class FailedStartTest {
    private static final String FILE = ResourceHelpers.resourceFilePath("test-service.yml");

    /** A program whose start ends with a failure before it has begun anything. */
    private static final class Failing<C extends Configuration> extends Application<C> {
        private final Class<C> type;

        Failing(Class<C> type) {
            this.type = type;
        }

        @Override
        public void run(C configuration, Environment environment) {}

        @Override
        public Class<C> getConfigurationClass() {
            return type;
        }

        /** What the start says on standard error, where {@code ahead} ends it. */
        private String said(Consumer<C> ahead) {
            Program<C> program =
                    new Program<>(type, configuration -> new AllocatorSection(), Optional.empty(), Streams.ofProcess());
            Bootstrap<C> bootstrap = new Bootstrap<>(this);
            bootstrap.addCommand(new ServeCommand<>(this, program, ahead));
            ByteArrayOutputStream error = new ByteArrayOutputStream();
            Cli cli = new Cli(new JarLocation(getClass()), bootstrap, OutputStream.nullOutputStream(), error);
            assertTrue(cli.run("server", FILE).isPresent());
            return error.toString(StandardCharsets.UTF_8);
        }
    }

    private static String said(RuntimeException failure) {
        return new Failing<>(AllocatorConfiguration.class).said(configuration -> {
            throw failure;
        });
    }

    /** One of its own checks is wrong, whatever the file has. */
    @SelfValidating
    @JsonIgnoreProperties(ignoreUnknown = true)
    public static final class BadlyChecked extends Configuration {
        @SelfValidation
        public void validate(ViolationCollector violations) {
            if (!violations.hasViolationOccurred()) {
                throw new IllegalArgumentException("no key of any file");
            }
        }
    }

    /**
     * The operator can mend nothing, and whoever can has to see where it was thrown. One of ours is no better than one
     * of Java's.
     */
    @Test
    void shouldShowTheStackWhenTheProgramIsWrong() {
        for (RuntimeException failure : List.of(
                new IllegalArgumentException("no key of any file"),
                new BadValueException("no", "key of any file"),
                new UncheckedIOException("no key of any file", new IOException("no port")),
                new RuntimeException("no key of any file", new IOException("no port")))) {
            String said = said(failure);

            assertTrue(said.startsWith(failure.getClass().getName() + ": no key of any file"), said);
            assertTrue(said.contains("\tat " + getClass().getName() + "."), said);
        }
    }

    @Test
    void shouldShowTheStackWhenACheckOfTheFileIsWrong() {
        String said = new Failing<>(BadlyChecked.class).said(configuration -> {});

        assertTrue(said.contains("Caused by: java.lang.IllegalArgumentException: no key of any file"), said);
        assertTrue(said.contains("\tat " + BadlyChecked.class.getName() + ".validate("), said);
    }

    @Test
    void shouldSayInOneLineWhyItCannotDoWhatItWasAsked() {
        assertEquals(
                "there is no such slot" + System.lineSeparator(), said(new CommandException("there is no such slot")));
    }

    @Test
    void shouldSayInOneLineWhichFileItCannotWrite() {
        TokenFileException failure = new TokenFileException(
                "the token cannot be written to /a: permission denied", new AccessDeniedException("/a"));

        assertEquals("the token cannot be written to /a: permission denied" + System.lineSeparator(), said(failure));
    }

    /** As Jetty throws it. */
    @Test
    void shouldSayInOneLineWhichPortItCannotListenOn() {
        IOException why = new IOException("Failed to bind to /127.0.0.1:8080", new BindException("Address in use"));

        assertEquals(
                "Failed to bind to /127.0.0.1:8080: Address in use" + System.lineSeparator(),
                said(new IllegalStateException(why)));
    }
}
