package org.idallocator.zk.simulation;

import java.util.List;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;
import org.idallocator.zk.testing.SmallPool;

/** What holds a simulated replica's slots: the real lease loop, or something worse that has to be caught. */
public interface Holder {

    /** One round; returns how many nanoseconds the next may wait. */
    long step();

    /** What callers may draw from now; its fence may have fallen. */
    List<Serving> serving();

    /** The client says that its session is gone. */
    void sessionLost();

    /** Something that was watched has changed. */
    void changed();

    /** Gives everything back; true when nothing is left. */
    boolean close();

    /**
     * A slot that a caller draws from.
     *
     * @param tenure names the claim
     * @param lease the path of its lease
     */
    record Serving(SmallPool<?> scheme, long slot, String tenure, String lease, Fence fence, Generator generator) {}
}
