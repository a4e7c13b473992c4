package org.idallocator.service.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.Instant;
import net.sourceforge.argparse4j.ArgumentParsers;
import net.sourceforge.argparse4j.inf.ArgumentParser;
import net.sourceforge.argparse4j.inf.ArgumentParserException;
import org.junit.jupiter.api.Test;

class TimeArgumentTest {
    private final ArgumentParser parser = ArgumentParsers.newFor("test").build();

    TimeArgumentTest() {
        parser.addArgument("--floor").type(new TimeArgument("; why"));
    }

    private Instant read(String text) throws ArgumentParserException {
        return parser.parseArgs(new String[] {"--floor", text}).get("floor");
    }

    private String refused(String text) {
        return String.valueOf(
                assertThrows(ArgumentParserException.class, () -> read(text)).getMessage());
    }

    @Test
    void shouldTakeATimeThatIsAtMostADayAhead() throws ArgumentParserException {
        Instant tomorrow = AllocatorCommand.now().plus(Duration.ofDays(1));

        assertEquals(tomorrow, read(tomorrow.toString()));
        assertEquals(Instant.EPOCH, read("1970-01-01T00:00:00Z"));
    }

    @Test
    void shouldRefuseATimeThatIsFurtherAhead() {
        Instant later = AllocatorCommand.now().plus(Duration.ofDays(1)).plus(Duration.ofHours(1));

        assertEquals("argument --floor: must be at most a day ahead: " + later + "; why", refused(later.toString()));
        assertEquals("argument --floor: must be as 2026-01-31T12:00:00Z: tomorrow", refused("tomorrow"));
    }
}
