package org.idallocator.hibernate;

import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.id.Id;
import org.idallocator.core.testing.TestIds;

/** Generators of all types, which count, and which the test fences at will. */
final class OutageOfIds implements IdGenerators {
    private final IdGenerators counting = TestIds.all();
    private volatile Optional<FenceReason> reason = Optional.empty();

    void begin(FenceReason why) {
        reason = Optional.of(why);
    }

    void end() {
        reason = Optional.empty();
    }

    @Override
    public <T extends Id> IdGenerator<T> of(Class<T> type) {
        return reason.map(TestIds::<T>fenced).orElseGet(() -> counting.of(type));
    }
}
