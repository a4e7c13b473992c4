package org.idallocator.zk.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.zk.store.StoreException;
import org.junit.jupiter.api.Test;

/** What is said of a slot's holder when ZooKeeper takes its time. */
class HoldersTest {
    private static final Uid60Scheme SCHEME = new Uid60Scheme(Duration.ofSeconds(10));
    private static final Optional<String> SILENT = Optional.of("ZooKeeper did not answer within 5 ms; ask again");

    private final ScriptedClock clock = new ScriptedClock(0);
    private final List<CompletableFuture<Optional<String>>> asked = new ArrayList<>();
    private boolean connected = true;
    private final Holders holders = new Holders(() -> connected, path -> ask(), "/id-allocator", clock);

    private CompletableFuture<Optional<String>> ask() {
        CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
        asked.add(answer);
        return answer;
    }

    /** A ZooKeeper that is 10 ms away answers nobody in time; who asks again is told. */
    @Test
    void shouldTellALateAnswerToWhomeverAsksNext() {
        assertEquals(SILENT, holders.holder(SCHEME, 3).unknown());
        asked.get(0).complete(Optional.empty());

        assertEquals(Holder.NOBODY, holders.holder(SCHEME, 3));
        assertEquals(1, asked.size(), "nobody asks twice");
    }

    @Test
    void shouldAskAnewAfterASecond() {
        holders.holder(SCHEME, 3);
        asked.get(0).complete(Optional.empty());
        clock.advance(Holders.FRESH);

        assertEquals(SILENT, holders.holder(SCHEME, 3).unknown());
        assertEquals(2, asked.size());
    }

    /** Else all callers of an outage would wait, each for a question of its own. */
    @Test
    void shouldAskNothingWhileAQuestionIsOverdue() {
        holders.holder(SCHEME, 3);

        assertEquals(SILENT, holders.holder(SCHEME, 4).unknown());
        assertEquals(1, asked.size());

        asked.get(0).completeExceptionally(new StoreException(StoreException.Kind.UNCERTAIN, "gone"));
        holders.holder(SCHEME, 4);
        assertEquals(2, asked.size());
    }

    @Test
    void shouldAskNothingWithoutAConnection() {
        connected = false;

        assertTrue(holders.holder(SCHEME, 3).unknown().orElse("").contains("not connected"));
        assertEquals(0, asked.size());
    }
}
