package org.idallocator.zk.operator;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.store.StoreException;

/**
 * What operators order, on a store that a test has opened. Programs give settings, and each order opens a connection.
 */
public final class OnStore {
    private OnStore() {}

    public static boolean withoutWaiting(OperatorAccess access) {
        return FirstStart.withoutWaiting(access);
    }

    public static void promiseNothingRestored(OperatorAccess access, Instant since) {
        var unused = NothingRestored.promise(access, since);
    }

    public static FenceRestore.Report fenceRestore(OperatorAccess access, FenceRestore.Options options) {
        return FenceRestore.run(access, options);
    }

    public static Relayout.Report relayout(OperatorAccess access, Scheme<?> scheme, boolean fenceHolders) {
        return Relayout.run(access, scheme, fenceHolders);
    }

    public static List<Check> examine(OperatorAccess access) {
        return examine(access, step -> {});
    }

    /** The same; {@code step} is told what is waited for. */
    public static List<Check> examine(OperatorAccess access, Consumer<String> step) {
        return Doctor.examine(
                access, new Servers(access.settings().zookeeper().servers(), address -> Optional.empty()), step);
    }

    /** What operators are told where ZooKeeper does not answer. */
    public static UnreachableException unreachable(String why) {
        return new UnreachableException(new StoreException(StoreException.Kind.NO_ANSWER, why));
    }
}
