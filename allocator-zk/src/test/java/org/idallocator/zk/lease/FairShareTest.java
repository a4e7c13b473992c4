package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.settings.Terms;
import org.junit.jupiter.api.Test;

/** Who counts as a replica that needs a share. */
final class FairShareTest {
    private static final Scheme<?> SNO = Bench.sno(8);

    private final Bench bench = new Bench();

    @Test
    void shouldCountNoMemberThatIsNoReplica() {
        bench.replica("a", SNO).step();
        bench.replica("b", SNO).step();
        FairShare share = share(2);
        Crowd alone = share.look();
        bench.zookeeper.create(Bench.TREE.members() + "/no replica's name", "", bench.zookeeper.newSession());
        bench.zookeeper.create(Bench.TREE.members() + "/stays", "", 0);

        assertEquals(new Crowd(8, 2, 2, 2), alone);
        assertEquals(alone, share.look());
    }

    @Test
    void shouldCountNobodyAsTheHolderOfASlotWhoseLeaseIsGone() {
        bench.replica("a", SNO).step();
        Tenure lost = bench.replica("b", SNO).step().tenure();
        FairShare share = share(1);
        assertEquals(new Crowd(8, 2, 2, 0), share.look());

        bench.zookeeper.delete(Bench.TREE.lease(lost.slot()));

        assertEquals(new Crowd(8, 1, 2, 1), share.look());
    }

    /** The record of a slot that is held is not read. */
    @Test
    void shouldCountASlotInThatIsUnretiredAndClaimedBetweenTwoLooks() {
        Scheme<?> two = Bench.sno(2);
        long retired = 1 - bench.replica("a", two).step().tenure().slot().number();
        ClusterView view = ClusterView.on(bench.access(two));
        Instant until = view.retire(two, retired).issuingUntil();
        FairShare share =
                new FairShare(Bench.nodes(bench.zookeeper.connect()), two.pool().orElseThrow(), 1);
        assertEquals(new Crowd(1, 1, 1, 0), share.look());

        assertEquals(until, view.unretire(two, retired, Instant.EPOCH));
        bench.replica("b", two).stepFor(Terms.farthest());

        assertEquals(new Crowd(2, 2, 2, 0), share.look());
    }

    /** A look reads sixteen members at most, and so not all of these. */
    @Test
    void shouldCountAReplicaThatTakesTheNameOfANodeThatWasNone() {
        bench.replica("a", SNO).step();
        String stray = Bench.TREE.members() + "/0";
        bench.zookeeper.create(stray, "", 0);
        for (int i = 0; i < 40; i++) {
            bench.zookeeper.create(Bench.TREE.members() + "/b" + i, "", bench.zookeeper.newSession());
        }
        FairShare share = share(1);
        assertEquals(41, share.look().members());

        bench.zookeeper.delete(stray);
        assertEquals(41, share.look().members());
        bench.zookeeper.create(stray, "", bench.zookeeper.newSession());

        assertEquals(42, share.look().members());
    }

    private FairShare share(int min) {
        return new FairShare(Bench.nodes(bench.zookeeper.connect()), SNO.pool().orElseThrow(), min);
    }
}
