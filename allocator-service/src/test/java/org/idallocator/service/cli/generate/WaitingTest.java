package org.idallocator.service.cli.generate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.dropwizard.jackson.Jackson;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.junit.jupiter.api.Test;

class WaitingTest {
    private final FencedException away =
            new FencedException(FenceReason.UNREACHABLE, "it is away", Duration.ofSeconds(1));
    private final FencedException floor =
            new FencedException(FenceReason.COOLING, "a floor is ahead", Duration.ofSeconds(14));

    private final ScriptedClock clock = new ScriptedClock(0);
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    private Waiting waiting() throws JsonProcessingException {
        AllocatorSection section = Jackson.newObjectMapper(new YAMLFactory())
                .readValue("zookeeper: {connect: 'zk1:2181,zk2:2181', root: /own}", AllocatorSection.class);
        return new Waiting(Ensemble.of(section), new PrintStream(said, true, UTF_8), clock);
    }

    private List<String> lines() {
        return said.toString(UTF_8).lines().toList();
    }

    @Test
    void shouldSayWithinASecondForWhichZooKeeperItWaitsAndThenEveryFewSeconds() throws Exception {
        Waiting waiting = waiting();
        for (int i = 0; i < 100; i++) {
            waiting.goesOn(away, Duration.ofSeconds(30).minus(waiting.soFar()));
            clock.advance(Duration.ofMillis(100));
        }

        String line = "waiting for ZooKeeper zk1:2181,zk2:2181, root /own, for %d s more at most: it is away";
        assertEquals(List.of(line.formatted(30), line.formatted(26), line.formatted(22)), lines());
        assertEquals(
                "ZooKeeper zk1:2181,zk2:2181, root /own, gave no slot within 10 s: it is away", waiting.inVain(away));
    }

    @Test
    void shouldSayAtOnceThatAFloorHasToPass() throws Exception {
        Waiting waiting = waiting();
        waiting.goesOn(floor, floor.retryAfter());
        waiting.goesOn(floor, floor.retryAfter());

        assertEquals(
                List.of("waiting for ZooKeeper zk1:2181,zk2:2181, root /own, for 15 s more at most: a floor is ahead"),
                lines());
    }

    /** All that a first line has to say is which ZooKeeper that is. */
    @Test
    void shouldNotSayThatNothingHasComeYet() throws Exception {
        Waiting waiting = waiting();
        clock.advance(Duration.ofMillis(500));
        waiting.goesOn(
                new FencedException(FenceReason.STARTING, "connecting to zk1", Duration.ofSeconds(1)),
                Duration.ofSeconds(29));

        assertEquals(List.of("waiting for ZooKeeper zk1:2181,zk2:2181, root /own, for 30 s more at most"), lines());
    }

    @Test
    void shouldSayNothingOfAClaimThatTakesAMoment() throws Exception {
        Waiting waiting = waiting();
        waiting.goesOn(away, Duration.ofSeconds(30));
        clock.advance(Duration.ofMillis(499));
        waiting.goesOn(away, Duration.ofSeconds(30));

        assertEquals(List.of(), lines());
    }
}
