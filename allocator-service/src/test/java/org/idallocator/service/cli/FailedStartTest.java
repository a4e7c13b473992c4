package org.idallocator.service.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dropwizard.core.Application;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.testing.ResourceHelpers;
import io.dropwizard.util.JarLocation;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.util.Optional;
import org.idallocator.service.config.AllocatorConfiguration;
import org.junit.jupiter.api.Test;

/** What a start that fails says, where the file is in order. */
class FailedStartTest {
    private static final String FILE = ResourceHelpers.resourceFilePath("test-service.yml");

    /** A program whose start ends with a failure before it has begun anything. */
    private static final class Failing extends Application<AllocatorConfiguration> {
        @Override
        public void run(AllocatorConfiguration configuration, Environment environment) {}

        /** What the start says on standard error. */
        private String said(RuntimeException failure) {
            Program<AllocatorConfiguration> program = new Program<>(
                    AllocatorConfiguration.class,
                    AllocatorConfiguration::allocator,
                    Optional.empty(),
                    Streams.ofProcess());
            Bootstrap<AllocatorConfiguration> bootstrap = new Bootstrap<>(this);
            bootstrap.addCommand(new ServeCommand<>(this, program, configuration -> {
                throw failure;
            }));
            ByteArrayOutputStream error = new ByteArrayOutputStream();
            Cli cli = new Cli(new JarLocation(getClass()), bootstrap, OutputStream.nullOutputStream(), error);
            assertEquals(Optional.of(failure), cli.run("server", FILE));
            return error.toString(StandardCharsets.UTF_8);
        }
    }

    /** The operator can mend nothing, and whoever can has to see where it was thrown. */
    @Test
    void shouldShowTheStackWhenTheProgramIsWrong() {
        String said = new Failing().said(new IllegalArgumentException("no key of any file"));

        assertTrue(said.startsWith("java.lang.IllegalArgumentException: no key of any file"), said);
        assertTrue(said.contains("\tat " + getClass().getName() + "."), said);
    }

    @Test
    void shouldSayInOneLineWhyItCannotDoWhatItWasAsked() {
        assertEquals(
                "there is no such slot" + System.lineSeparator(),
                new Failing().said(new CommandException("there is no such slot")));
    }

    @Test
    void shouldSayInOneLineWhichFileItCannotWrite() {
        UncheckedIOException failure = new UncheckedIOException(
                "the token cannot be written to /a: permission denied", new AccessDeniedException("/a"));

        assertEquals(
                "the token cannot be written to /a: permission denied" + System.lineSeparator(),
                new Failing().said(failure));
    }
}
