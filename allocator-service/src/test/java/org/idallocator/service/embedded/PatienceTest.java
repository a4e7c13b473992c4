package org.idallocator.service.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.zk.settings.Replica;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PatienceTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final ScriptedClock clock = new ScriptedClock(0);
    private final List<String> heard = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private DataDirectory data;

    @BeforeEach
    void setUp() throws IOException {
        data = new DataDirectory(Files.createDirectory(directory.resolve("data")));
    }

    private void told(String host) throws IOException {
        JsonFile.write(data.address(), new Address(1, "127.0.0.1:1", 17, host, "x"));
    }

    /** Waits until it has been long enough; what was said last. */
    private String waitInVain() {
        Patience patience = new Patience(data, Duration.ofSeconds(10), clock, heard::add);
        EmbeddedStartException end = assertThrows(EmbeddedStartException.class, () -> {
            while (true) {
                patience.goesOn(new DirectoryInUseException(data));
                clock.advance(Duration.ofMillis(100));
            }
        });
        return String.valueOf(end.getMessage());
    }

    @Test
    void shouldSayWithinASecondForWhichProcessItWaitsAndThenEveryFewSeconds() throws Exception {
        told(Replica.local().host());
        String who = data + " is in use by process 17, whose ZooKeeper on 127.0.0.1:1 ";

        assertEquals(who + "did not answer within 10 s; stop that process, or name another directory", waitInVain());
        String line = who + "does not answer yet; waiting for %d s more at most";
        assertEquals(List.of(line.formatted(10), line.formatted(6), line.formatted(2)), heard);
    }

    @Test
    void shouldSayThatItIsNotKnownWhereTheZooKeeperServes() {
        waitInVain();

        assertEquals(
                data
                        + " is in use by another process, which does not say where its ZooKeeper serves yet; waiting for 10 s"
                        + " more at most",
                heard.get(0));
    }

    @Test
    void shouldNotWaitLongForAnotherMachine() throws Exception {
        told("another-machine");

        assertEquals(
                data + " is in use on another-machine, by process 17, and its ZooKeeper serves that machine alone; name"
                        + " another directory, or for several machines one ensemble (zookeeper.connect)",
                waitInVain());
        assertEquals(
                List.of(data
                        + " is in use by process 17, whose ZooKeeper on 127.0.0.1:1 does not answer yet; waiting for 3 s"
                        + " more at most"),
                heard);
    }

    @Test
    void shouldSayNothingOfAProcessThatStartsInAMoment() {
        Patience patience = new Patience(data, Duration.ofSeconds(10), clock, heard::add);
        patience.goesOn(new DirectoryInUseException(data));
        clock.advance(Duration.ofMillis(499));
        patience.goesOn(new DirectoryInUseException(data));

        assertEquals(List.of(), heard);
    }
}
