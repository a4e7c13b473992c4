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
import org.idallocator.zk.store.SimulatedZooKeeper;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;
import org.junit.jupiter.api.Test;

/** What is said of a slot's holder when ZooKeeper takes its time. */
class HoldersTest {
    private static final Uid60Scheme SCHEME = new Uid60Scheme(Duration.ofSeconds(10));
    private static final Optional<String> SILENT = Optional.of("ZooKeeper did not answer within 5 ms; ask again");

    private static final Znodes NODES = new Znodes(
            new SimulatedZooKeeper(() -> 0, Duration.ofSeconds(1)).connect(), new Tree("/id-allocator"), () -> 0);

    private final ScriptedClock clock = new ScriptedClock(0);
    private final List<CompletableFuture<Optional<Store.Node>>> asked = new ArrayList<>();
    private boolean connected = true;
    private final Holders holders = new Holders(() -> connected, path -> ask(), NODES, clock);

    private CompletableFuture<Optional<Store.Node>> ask() {
        CompletableFuture<Optional<Store.Node>> answer = new CompletableFuture<>();
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

    @Test
    void shouldSayWhyNobodyCanBeAsked() {
        holders.holder(SCHEME, 3);
        asked.get(0).completeExceptionally(new StoreException(StoreException.Kind.UNCERTAIN, "gone"));

        assertEquals(
                Optional.of("ZooKeeper cannot be asked: gone"),
                holders.holder(SCHEME, 3).unknown());
    }

    @Test
    void shouldAskNothingWithoutAConnection() {
        connected = false;

        assertTrue(holders.holder(SCHEME, 3).unknown().orElse("").contains("not connected"));
        assertEquals(0, asked.size());
    }
}
