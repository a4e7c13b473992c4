package org.idallocator.spring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.idallocator.core.id.BadValueException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What people read when a program does not start. */
@ExtendWith(OutputCaptureExtension.class)
class FailedStartTest {
    private static final String CONNECT = "--idallocator.zookeeper.connect=127.0.0.1:1";

    @ImportAutoConfiguration(IdAllocatorAutoConfiguration.class)
    static class Program {}

    private static void assertFails(String... arguments) {
        List<String> quiet = List.of("--spring.main.banner-mode=off", "--spring.main.register-shutdown-hook=false");
        String[] all = Stream.concat(quiet.stream(), Stream.of(arguments)).toArray(String[]::new);
        assertThrows(RuntimeException.class, () -> SpringApplication.run(Program.class, all));
    }

    @Test
    void shouldTellTheStateTheSentenceAndThePageWhenNoIdsCanBeDrawn(CapturedOutput output) {
        assertFails(CONNECT, "--idallocator.start-timeout=1ms");

        String said = output.getAll();
        assertTrue(said.contains("No IDs can be drawn. The state is starting: "), said);
        assertTrue(said.contains("claiming goes on by itself"), said);
        assertTrue(said.contains("docs/operations.md#starting says what to do."), said);
        assertTrue(said.contains("set idallocator.start-timeout."), said);
        assertFalse(said.contains("\tat "), "no stack trace");
    }

    @Test
    void shouldTellTheKeyAndThePageWhenAValueIsBad(CapturedOutput output) {
        assertFails(CONNECT, "--idallocator.schemes.sno.leases=0");

        String said = output.getAll();
        assertTrue(said.contains("cannot be used: idallocator.schemes.sno.leases must be 1..64: 0."), said);
        assertTrue(said.contains("docs/library.md#in-a-spring-boot-program has a table of the keys."), said);
    }

    /** A program that draws as it starts may give a bad value to an ID; no key of the configuration is to blame. */
    @Test
    void shouldBlameTheConfigurationForNothingElse() {
        BadValueException ofAnId = new BadValueException("sno.partition", "must be 0..65535: -1");

        assertNull(new BadKeyAnalyzer().analyze(new IllegalStateException(ofAnId)));
        assertNotNull(new BadKeyAnalyzer().analyze(new IllegalStateException(ofAnId.in("idallocator"))));
    }
}
