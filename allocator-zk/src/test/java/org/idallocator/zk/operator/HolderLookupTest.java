package org.idallocator.zk.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.zk.store.SimulatedZooKeeper;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is said of a slot's holder when ZooKeeper takes its time. */
class HolderLookupTest {
    private static final Uid60Scheme SCHEME = new Uid60Scheme(Duration.ofSeconds(10));
    private static final Optional<String> SILENT = Optional.of("ZooKeeper did not answer within 5 ms; ask again");

    private static final Optional<String> BUSY =
            Optional.of("ZooKeeper has yet to answer " + HolderLookup.MOST_UNDER_WAY + " such questions; ask again");

    private static final Optional<String> ENOUGH = Optional.of(
            "ZooKeeper was asked " + HolderLookup.MOST_A_SECOND + " such questions within a second; ask again");

    private static final Znodes NODES = new Znodes(
            new SimulatedZooKeeper(() -> 0, Duration.ofSeconds(1)).connect(), new Tree("/id-allocator"), () -> 0);

    private final ScriptedClock clock = new ScriptedClock(0);
    private final List<CompletableFuture<Optional<Store.Node>>> asked = new ArrayList<>();
    private boolean connected = true;
    private final HolderLookup holders = new HolderLookup(() -> connected, path -> ask(), NODES, clock);

    private final HolderLookup atOnce = new HolderLookup(
            () -> connected,
            path -> {
                ask().complete(Optional.empty());
                return asked.get(asked.size() - 1);
            },
            NODES,
            clock);

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

        assertEquals(Holder.nobody(), holders.holder(SCHEME, 3));
        assertEquals(1, asked.size(), "nobody asks twice");
    }

    @Test
    void shouldAskAnewAfterASecond() {
        holders.holder(SCHEME, 3);
        asked.get(0).complete(Optional.empty());
        clock.advance(HolderLookup.FRESH);

        assertEquals(SILENT, holders.holder(SCHEME, 3).unknown());
        assertEquals(2, asked.size());
    }

    @Test
    void shouldSayWhyNobodyCanBeAsked() {
        holders.holder(SCHEME, 3);
        asked.get(0).completeExceptionally(new StoreException(StoreException.Kind.NO_ANSWER, "gone"));

        assertEquals(
                Optional.of("ZooKeeper cannot be asked: gone"),
                holders.holder(SCHEME, 3).unknown());
    }

    /** They go by the session that renews: a stranger who asks about many slots must not fill it. */
    @Test
    void shouldAskNoMoreWhenManyQuestionsAreUnderWay() {
        askAsManyAsMayBeUnderWay();

        assertEquals(BUSY, holders.holder(SCHEME, 100).unknown());
        clock.advance(HolderLookup.FRESH);
        assertEquals(BUSY, holders.holder(SCHEME, 101).unknown(), "also when their answers would not be kept any more");
        assertEquals(HolderLookup.MOST_UNDER_WAY, asked.size());
    }

    /** What was asked before is told, however many questions are under way. */
    @Test
    void shouldTellAnAnswerThatIsThereWhenManyQuestionsAreUnderWay() {
        askAsManyAsMayBeUnderWay();
        asked.get(0).complete(Optional.empty());
        assertEquals(SILENT, holders.holder(SCHEME, 100).unknown(), "it was asked");
        assertEquals(BUSY, holders.holder(SCHEME, 101).unknown());

        assertEquals(Holder.nobody(), holders.holder(SCHEME, 0));
    }

    /**
     * The caller has stopped waiting long before, and nobody may ask the same again: the answer gives the place back
     * all the same.
     */
    @ParameterizedTest
    @EnumSource
    void shouldAskAgainWhenAQuestionIsAnswered(Answer answer) {
        askAsManyAsMayBeUnderWay();
        clock.advance(HolderLookup.FRESH.multipliedBy(2));
        for (int i = 0; i < HolderLookup.MOST_UNDER_WAY; i++) {
            assertTrue(give(answer, asked.get(i)));
        }

        for (int i = 0; i < HolderLookup.MOST_UNDER_WAY; i++) {
            assertEquals(SILENT, holders.holder(SCHEME, 100 + i).unknown());
        }
        assertEquals(BUSY, holders.holder(SCHEME, 99).unknown());
        assertEquals(2 * HolderLookup.MOST_UNDER_WAY, asked.size());
    }

    /** Not even asking works. */
    @Test
    void shouldCountNoQuestionThatCannotBeAsked() {
        HolderLookup unable = new HolderLookup(
                () -> true,
                path -> {
                    throw new StoreException(StoreException.Kind.NO_ANSWER, "gone");
                },
                NODES,
                clock);
        for (int i = 0; i < 2 * HolderLookup.MOST_UNDER_WAY; i++) {
            assertEquals(
                    Optional.of("ZooKeeper cannot be asked: gone"),
                    unable.holder(SCHEME, i).unknown());
        }
    }

    /**
     * A ZooKeeper that answers each at once would be asked thousands of times a second: no few under way bound that.
     */
    @Test
    void shouldAskNoMoreThanAFewHundredTimesASecondWhenEachIsAnsweredAtOnce() {
        askAsManyAsMayBeAskedInASecond(0);

        assertEquals(ENOUGH, answered(HolderLookup.MOST_A_SECOND).unknown());
        clock.advance(HolderLookup.FRESH.minusNanos(1));
        assertEquals(ENOUGH, answered(HolderLookup.MOST_A_SECOND).unknown());
        assertEquals(Holder.nobody(), answered(0), "what was asked before is told");
        assertEquals(HolderLookup.MOST_A_SECOND, asked.size());
    }

    @Test
    void shouldAskAsManyAgainInTheNextSecond() {
        askAsManyAsMayBeAskedInASecond(0);
        clock.advance(HolderLookup.FRESH);
        askAsManyAsMayBeAskedInASecond(HolderLookup.MOST_A_SECOND);

        assertEquals(ENOUGH, answered(0).unknown(), "its answer is too old to be told");
        assertEquals(2 * HolderLookup.MOST_A_SECOND, asked.size());
    }

    private void askAsManyAsMayBeAskedInASecond(int from) {
        for (int i = 0; i < HolderLookup.MOST_A_SECOND; i++) {
            assertEquals(Holder.nobody(), answered(from + i));
        }
    }

    /** What is said of a slot when ZooKeeper answers at once that nobody holds it. */
    private Holder answered(int slot) {
        return atOnce.holder(SCHEME, slot);
    }

    private void askAsManyAsMayBeUnderWay() {
        for (int i = 0; i < HolderLookup.MOST_UNDER_WAY; i++) {
            assertEquals(SILENT, holders.holder(SCHEME, i).unknown());
        }
    }

    /** What comes of a question in the end. */
    private enum Answer {
        NOBODY,
        BROKEN,
        ERROR,
        NONE_IN_TIME
    }

    private static boolean give(Answer answer, CompletableFuture<Optional<Store.Node>> asked) {
        return switch (answer) {
            case NOBODY -> asked.complete(Optional.empty());
            case BROKEN -> asked.complete(Optional.of(new Store.Node("no JSON", 0, 1, false, 0)));
            case ERROR -> asked.completeExceptionally(new StoreException(StoreException.Kind.NO_ANSWER, "gone"));
            case NONE_IN_TIME -> asked.completeExceptionally(new TimeoutException());
        };
    }

    @Test
    void shouldAskNothingWithoutAConnection() {
        connected = false;

        assertTrue(holders.holder(SCHEME, 3).unknown().orElse("").contains("not connected"));
        assertEquals(0, asked.size());
    }
}
