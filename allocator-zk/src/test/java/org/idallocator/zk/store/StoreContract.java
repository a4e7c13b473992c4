package org.idallocator.zk.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.zk.store.Outcome.Confirmed;
import org.idallocator.zk.store.Outcome.Forbidden;
import org.idallocator.zk.store.Outcome.FoundApplied;
import org.idallocator.zk.store.Outcome.Misfit;
import org.idallocator.zk.store.Outcome.NotApplied;
import org.idallocator.zk.store.Outcome.Unknown;
import org.idallocator.zk.store.Store.Node;
import org.idallocator.zk.store.Store.Op;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store has to say of a transaction: whatever is lost, late or refused. */
abstract class StoreContract {
    static final String ROOT = "/contract";
    private static final String A = ROOT + "/a";
    private static final String B = ROOT + "/b";
    private static final String C = ROOT + "/c";
    private static final String CHILD = C + "/child";
    private static final String NEW = ROOT + "/new";
    private static final String MARK = "0123456789abcdef";

    /** The store that is tested. */
    abstract Store store();

    /** Somebody else's, of which nothing is lost. */
    abstract Store other();

    /** The next transaction is lost before it arrives. */
    abstract void loseNextRequest();

    /** The next transaction arrives, and its answer is lost. */
    abstract void loseNextAnswer();

    /** The next transaction arrives after the client has given up on it. */
    abstract void delayNextRequest();

    /** Now it arrives. */
    abstract void deliver();

    /** The session ends, and the client learns that it has another one. */
    abstract void endSession();

    /** What is said of a transaction whose session ends while it is under way. */
    abstract Outcome sendAsSessionEnds(Transaction transaction);

    /** What is said of a transaction while which the client's credentials are refused. */
    abstract Outcome.Sent sendAsCredentialsAreRefused(Transaction transaction);

    /** Nobody may write this node from now on. */
    abstract void forbid(String path);

    @BeforeEach
    final void makeNodes() {
        other().ensure(ROOT);
        List<Op> ops = new ArrayList<>();
        for (String path : List.of(A, B, C, CHILD)) {
            ops.add(new Op.Create(path, "before", false));
        }
        var unused = other().send(Transaction.of(ops)).orChanged(ROOT);
    }

    /** Seen by somebody else, who asks for the latest. */
    private Optional<Node> seen(String path) {
        other().sync(path);
        return other().read(path);
    }

    private int version(String path) {
        return seen(path).orElseThrow().version();
    }

    /** Writes a node, and is known by what it writes. */
    private static Transaction write(String path, int version) {
        Op.Write write = new Op.Write(path, "written " + MARK, version);
        return Transaction.of(List.of(Op.Check.exists(C), write)).witnessedBy(write, MARK);
    }

    /** Makes a node, and is known by that. */
    private static Transaction make() {
        Op.Create create = new Op.Create(NEW, "", false);
        return Transaction.of(List.of(new Op.Write(A, "written", 0), create)).witnessedBy(create);
    }

    private void assertNothingWritten() {
        for (String path : List.of(A, B, C)) {
            assertEquals(0, version(path), path);
        }
        assertTrue(seen(NEW).isEmpty());
    }

    private static void assertUnknown(Outcome outcome) {
        assertInstanceOf(Unknown.class, outcome);
        assertThrows(StoreException.class, outcome::wasApplied);
        assertThrows(StoreException.class, () -> outcome.orChanged("it"));
    }

    @Test
    void shouldSayWhatWasWritten() {
        Outcome.Sent outcome = store().send(Transaction.of(List.of(
                new Op.Create(NEW, "", false),
                new Op.Write(A, "written", 0),
                Op.Delete.whateverVersion(CHILD),
                new Op.Write(NEW, "written, too", 0),
                new Op.Write(A, "and again", 1))));

        Confirmed applied = outcome.confirmedOrChanged("it");
        assertEquals(
                List.of(1, 1, 2),
                applied.written().stream().map(Store.Written::version).toList());
        assertEquals(seen(A).orElseThrow().leaderMillis(), applied.leaderMillis());
        assertTrue(outcome.wasApplied());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldSayWhichOperationDidNotFit(int culprit) {
        List<Op> ops = new ArrayList<>();
        for (String path : List.of(A, B, C)) {
            ops.add(new Op.Write(path, "written", ops.size() == culprit ? 7 : 0));
        }
        Outcome.Sent outcome = store().send(Transaction.of(ops));

        assertEquals(new NotApplied(culprit, Misfit.VERSION), outcome);
        assertEquals(false, outcome.wasApplied());
        assertEquals(
                "it has changed",
                assertThrows(ChangedMeanwhileException.class, () -> outcome.orChanged("it has changed"))
                        .getMessage());
        assertNothingWritten();
    }

    static Stream<Arguments> shouldSayWhatDidNotFit() {
        return Stream.of(
                Arguments.of(Op.Check.exists(NEW), Misfit.MISSING),
                Arguments.of(new Op.Create(NEW + "/below", "", false), Misfit.MISSING),
                Arguments.of(new Op.Create(B, "", false), Misfit.EXISTS),
                Arguments.of(new Op.Check(B, 1), Misfit.VERSION),
                Arguments.of(new Op.Delete(B, 1), Misfit.VERSION),
                Arguments.of(Op.Delete.whateverVersion(C), Misfit.CHILDREN));
    }

    @ParameterizedTest
    @MethodSource
    void shouldSayWhatDidNotFit(Op culprit, Misfit why) {
        assertEquals(
                new NotApplied(1, why), store().send(Transaction.of(List.of(new Op.Write(A, "written", 0), culprit))));
        assertNothingWritten();
    }

    @Test
    void shouldNotKnowWhenRequestIsLost() {
        loseNextRequest();
        assertUnknown(store().commit(write(A, 0))); // it may come yet
        assertNothingWritten();

        loseNextRequest();
        assertUnknown(store().commit(make()));
        assertNothingWritten();
    }

    /** Once: nobody repeats it. */
    @Test
    void shouldFindOutByReadingBackWhenAnswerIsLost() {
        loseNextAnswer();
        Outcome written = store().commit(write(A, 0));

        Node node = seen(A).orElseThrow();
        assertEquals(1, node.version());
        assertEquals(new FoundApplied(node.leaderMillis()), written);
    }

    @Test
    void shouldFindOutByTheNodeThatNobodyElseMakesWhenAnswerIsLost() {
        loseNextAnswer();
        Outcome made = store().commit(make());

        Node node = seen(NEW).orElseThrow();
        assertEquals(new FoundApplied(node.leaderMillis()), made);
        assertEquals(1, version(A));
    }

    @Test
    void shouldNotKnowWhenAnswerIsLostAndNothingTells() {
        loseNextAnswer();
        assertUnknown(store().commit(Transaction.of(List.of(new Op.Write(A, "written", 0)))));
        assertEquals(1, version(A));

        loseNextAnswer();
        assertUnknown(store().send(write(B, 0))); // who sends does not read back
        assertEquals(1, version(B));
    }

    @Test
    void shouldNotKnowWhenSomebodyHasWrittenSinceTheAnswerWasLost() {
        loseNextAnswer();
        Transaction transaction = write(A, 0);
        Unknown lost = assertInstanceOf(Unknown.class, store().send(transaction));
        var unused = other().send(Transaction.of(List.of(new Op.Write(A, "by another", 1))))
                .orChanged(A);
        assertEquals(lost, new LostAnswer(store(), transaction, lost).readBack());
    }

    /** What it depended on can hold no more. The version alone does not tell who wrote. */
    @Test
    void shouldKnowThatNothingWasAppliedWhenAnotherHasUsedTheVersion() {
        loseNextRequest();
        Transaction transaction = write(A, 0);
        Unknown lost = assertInstanceOf(Unknown.class, store().send(transaction));
        var unused = other().send(Transaction.of(List.of(new Op.Write(A, "by another", 0))))
                .orChanged(A);
        assertEquals(new NotApplied(1, Misfit.VERSION), new LostAnswer(store(), transaction, lost).readBack());
    }

    @Test
    void shouldNotKnowUntilItArrivesWhenRequestIsLate() {
        delayNextRequest();
        Transaction transaction = write(A, 0);
        Unknown lost = assertInstanceOf(Unknown.class, store().send(transaction));
        assertNothingWritten();
        assertEquals(lost, new LostAnswer(other(), transaction, lost).readBack());

        deliver();
        assertEquals(
                new FoundApplied(seen(A).orElseThrow().leaderMillis()),
                new LostAnswer(store(), transaction, lost).readBack());
    }

    @Test
    void shouldSendNothingOnAnotherSession() {
        Session before = store().session();
        endSession();
        assertNotEquals(before.id(), store().session().id());
        Transaction transaction = write(A, 0).on(before);
        assertThrows(StoreException.class, () -> store().commit(transaction));
        assertNothingWritten();

        assertTrue(store().commit(transaction.on(store().session())).wasApplied());
        assertEquals(1, version(A));
    }

    @Test
    void shouldNotKnowWhenSessionEndsMeanwhile() {
        assertUnknown(sendAsSessionEnds(write(A, 0)));
        assertNothingWritten();
    }

    @Test
    void shouldSayThatCredentialsAreRefusedWhenTheyAreMeanwhile() {
        Unknown lost = assertInstanceOf(Unknown.class, sendAsCredentialsAreRefused(write(A, 0)));
        assertEquals(StoreException.Kind.CREDENTIALS_REFUSED, lost.trouble().kind());
    }

    @Test
    void shouldSayWhichOperationIsNotAllowed() {
        forbid(B);
        Outcome.Sent outcome =
                store().send(Transaction.of(List.of(new Op.Write(A, "written", 0), new Op.Write(B, "no", 0))));
        Forbidden refused = assertInstanceOf(Forbidden.class, outcome);
        assertEquals(1, refused.op());
        assertEquals(StoreException.Kind.NO_PERMISSION, refused.trouble().kind());
        assertNothingWritten();
    }

    @Test
    void shouldListChildrenOfSeveralNodesInTheirOrder() {
        assertEquals(
                List.of(List.of("child"), List.of(), List.of(), List.of("child")),
                store().childrenOfAll(List.of(C, NEW, A, C)));
        assertEquals(List.of(), store().childrenOfAll(List.of()));
    }
}
