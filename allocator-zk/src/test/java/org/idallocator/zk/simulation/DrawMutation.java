package org.idallocator.zk.simulation;

import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.id.Id;
import org.idallocator.zk.simulation.Holder.Serving;

/** What stands between the callers of a process and the process's generators: nothing, or a mutant. */
public interface DrawMutation {
    DrawMutation NONE = new DrawMutation() {};

    /** What is drawn from in the place of a tenure's generator. */
    default Generator ofTenure(Serving tenure) {
        return tenure.generator();
    }

    /** The ID that stands in the place of one that a caller has seen, where IDs are to sort after that. */
    default <T extends Id> T compared(T seen) {
        return seen;
    }

    /** What callers draw from in the place of all that a process serves of a scheme, across tenures. */
    default TenureSource<Generator> ofAll(TenureSource<Generator> source) {
        return source;
    }
}
