package org.idallocator.service.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.Instant;
import net.sourceforge.argparse4j.ArgumentParsers;
import net.sourceforge.argparse4j.inf.ArgumentParser;
import net.sourceforge.argparse4j.inf.ArgumentParserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValueTypeTest {
    private final ArgumentParser parser = ArgumentParsers.newFor("test").build();

    ValueTypeTest() {
        parser.addArgument("--floor").type(ValueType.time());
        parser.addArgument("--window").type(ValueType.duration());
    }

    private Object read(String option, String text) throws ArgumentParserException {
        return parser.parseArgs(new String[] {"--" + option, text}).get(option);
    }

    private void requireRefused(String option, String text, String why) {
        ArgumentParserException refused = assertThrows(ArgumentParserException.class, () -> read(option, text));
        assertEquals("argument --" + option + ": " + why + ": " + text, refused.getMessage());
    }

    @Test
    void shouldTakeATimeThatIsAtMostADayAhead() throws ArgumentParserException {
        Instant tomorrow = AllocatorCommand.now().plus(Duration.ofDays(1));

        assertEquals(tomorrow, read("floor", tomorrow.toString()));
        assertEquals(Instant.EPOCH, read("floor", "1970-01-01T00:00:00Z"));
    }

    @Test
    void shouldRefuseATimeThatIsFurtherAhead() {
        Instant later = AllocatorCommand.now().plus(Duration.ofDays(1)).plus(Duration.ofHours(1));
        String why = "must be as 2026-01-31T12:00:00Z, and at most a day ahead";

        requireRefused("floor", later.toString(), why);
        requireRefused("floor", "tomorrow", why);
    }

    @Test
    void shouldTakeADurationAsAFileDoes() throws ArgumentParserException {
        assertEquals(Duration.ofMillis(500), read("window", "500ms"));
        assertEquals(Duration.ofMinutes(1), read("window", "1m"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ten", "10", "PT10S", "10 parsecs"})
    void shouldRefuseWhatIsNoDuration(String text) {
        requireRefused("window", text, "must be a number and a unit, such as 10s or 500ms");
    }
}
