package org.idallocator.zk.simulation;

import java.util.List;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;
import org.idallocator.zk.testing.SmallPool;

/** What holds a simulated replica's slots: the real lease loop, or a worse one that must be caught. */
public interface Holder {

    /** One step; returns how many nanoseconds the next may wait. */
    long step();

    /** What callers may draw from now. Its fence may have tripped. */
    List<Serving> serving();

    /** What callers draw through: one for each scheme. */
    List<Calls> calls();

    /** The client says that its session is gone. */
    void sessionLost();

    /** A watched node has changed. */
    void changed();

    /** Releases everything; true when nothing is left to release. */
    boolean close();

    /**
     * A slot that callers draw from.
     *
     * @param tenure names the tenure
     * @param lease the path of the tenure's lease
     */
    record Serving(SmallPool<?> scheme, long slot, String tenure, String lease, Fence fence, Generator generator) {}
}
