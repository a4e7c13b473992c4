package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.idallocator.core.scheme.Scheme;
import org.junit.jupiter.api.Test;

/** Who counts as a replica that needs a share. */
final class FairShareTest {
    private static final Scheme<?> SNO = Bench.sno(8);

    private final Bench bench = new Bench();

    @Test
    void shouldCountNoMemberThatIsNoReplica() {
        bench.replica("a", SNO).step();
        bench.replica("b", SNO).step();
        FairShare share =
                new FairShare(Bench.nodes(bench.zookeeper.connect()), SNO.pool().orElseThrow(), 2);
        Crowd alone = share.look();
        bench.zookeeper.create(Bench.TREE.members() + "/no replica's name", "", bench.zookeeper.newSession());
        bench.zookeeper.create(Bench.TREE.members() + "/stays", "", 0);

        assertEquals(new Crowd(8, 2, 2, 2), alone);
        assertEquals(alone, share.look());
    }
}
