package org.idallocator.core.testing.crac;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Tells of checkpoints in the order that CRaC does: the latest first, and of the end the earliest first. */
public final class Context {
    /** As CRaC, this keeps nothing alive. */
    private final List<WeakReference<Resource>> resources = new ArrayList<>();

    Context() {}

    public synchronized void register(Resource resource) {
        resources.add(new WeakReference<>(resource));
    }

    private synchronized List<Resource> living() {
        return resources.stream()
                .map(WeakReference::get)
                .flatMap(Stream::ofNullable)
                .toList();
    }

    /** Tells all before a checkpoint, and after it, also where one of them has refused it. */
    void checkpoint(Runnable meanwhile) throws CheckpointException, RestoreException {
        List<Resource> told = living();
        CheckpointException refused = new CheckpointException();
        IntStream.rangeClosed(1, told.size())
                .mapToObj(i -> told.get(told.size() - i))
                .forEach(resource -> {
                    try {
                        resource.beforeCheckpoint(this);
                    } catch (Exception e) {
                        refused.addSuppressed(e);
                    }
                });
        if (refused.getSuppressed().length == 0) {
            meanwhile.run();
        }
        RestoreException failed = new RestoreException();
        for (Resource resource : told) {
            try {
                resource.afterRestore(this);
            } catch (Exception e) {
                failed.addSuppressed(e);
            }
        }
        if (refused.getSuppressed().length > 0) {
            throw refused;
        }
        if (failed.getSuppressed().length > 0) {
            throw failed;
        }
    }
}
