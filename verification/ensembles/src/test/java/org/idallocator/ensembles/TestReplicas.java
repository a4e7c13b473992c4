package org.idallocator.ensembles;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.operator.Check;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.Admin;
import org.idallocator.zk.testing.Caller;
import org.idallocator.zk.testing.DuplicateChecker;
import org.idallocator.zk.znode.Tree;

/** Settings for replicas in one JVM, each with a name of its own. */
final class TestReplicas {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String connect;
    private final String root;
    private final Duration session;
    private final List<String> auth;
    private final AtomicBoolean promised = new AtomicBoolean();

    private TestReplicas(String connect, String root, Duration session, List<String> auth) {
        this.connect = connect;
        this.root = root;
        this.session = session;
        this.auth = auth;
    }

    /** Replicas with a root of their own, and a window as long as the session timeout. */
    static TestReplicas of(String connect, Duration session) {
        return new TestReplicas(connect, "/test-" + COUNT.incrementAndGet(), session, List.of());
    }

    /** Replicas of the same root that reach ZooKeeper by another way. */
    TestReplicas through(String otherConnect) {
        return new TestReplicas(otherConnect, root, session, auth);
    }

    TestReplicas with(String credentials) {
        return new TestReplicas(connect, root, session, List.of(credentials));
    }

    /** Nobody promises that the root is new: where it is empty, the first replica waits. */
    TestReplicas withoutPromise() {
        promised.set(true);
        return this;
    }

    Tree tree() {
        return new Tree(root);
    }

    AllocatorSettings settings(Scheme<?>... schemes) {
        return new AllocatorSettings(
                List.of(schemes),
                ZooKeeperSettings.of(connect)
                        .withRoot(root)
                        .withSessionTimeout(session)
                        .withAuth(auth),
                session,
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Replica.named("replica-" + COUNT.incrementAndGet(), ""),
                Map.of(),
                Map.of());
    }

    /** Closes many replicas at the same time, as each waits for ZooKeeper. */
    static void closeAll(List<IdAllocator> allocators) {
        ExecutorService closers = Executors.newFixedThreadPool(64);
        allocators.forEach(allocator -> closers.execute(allocator::close));
        closers.shutdown();
        await().until(closers::isTerminated);
    }

    static void awaitActive(IdAllocator allocator, Scheme<?> scheme) {
        await(scheme.name() + " serves").until(() -> allocator.status(scheme).active());
    }

    static void awaitFenced(IdAllocator allocator, Scheme<?> scheme, FenceReason... reasons) {
        await(scheme.name() + " is fenced: " + List.of(reasons))
                .until(() -> allocator
                        .status(scheme)
                        .fenced()
                        .filter(fenced -> List.of(reasons).contains(fenced.reason()))
                        .isPresent());
    }

    /** A caller that has got its first IDs. */
    static Caller calling(IdAllocator allocator, Scheme<?> scheme, DuplicateChecker checker) {
        awaitActive(allocator, scheme);
        Caller caller = Caller.of(allocator.generator(scheme), checker);
        await().until(caller::issuing);
        return caller;
    }

    static HeldSlot held(IdAllocator allocator, Scheme<?> scheme) {
        return allocator.status(scheme).slot().orElseThrow();
    }

    /** The one check of this name. */
    static Check check(List<Check> checks, String name) {
        List<Check> named =
                checks.stream().filter(check -> check.name().equals(name)).toList();
        assertEquals(1, named.size(), checks::toString);
        return named.get(0);
    }

    /** What an operator can promise about all of these replicas. */
    FenceRestore.Options promised() {
        return FenceRestore.Options.promised(session, Duration.ofSeconds(1), Instant.EPOCH);
    }

    /** Makes the promise once, before any replica starts: a replica that starts earlier would begin without it. */
    private synchronized void promise(AllocatorSettings settings) {
        if (promised.compareAndSet(false, true)) {
            try (Admin admin = Admin.of(settings.zookeeper())) {
                OnStore.withoutWaiting(admin.access(settings));
            }
        }
    }

    /** One more replica. The first one finds a root that somebody promised to be new, and serves at once. */
    IdAllocator connect(Scheme<?>... schemes) {
        AllocatorSettings settings = settings(schemes);
        promise(settings);
        return IdAllocator.connect(settings);
    }
}
