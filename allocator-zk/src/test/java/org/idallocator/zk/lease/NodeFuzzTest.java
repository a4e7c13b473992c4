package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.Draw;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.core.testing.Proof;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.LayoutNode;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.MemberNode;
import org.idallocator.zk.znode.MetaNode;
import org.idallocator.zk.znode.Payloads;
import org.idallocator.zk.znode.SlotRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Whatever a node holds, replicas refuse in words and take no step too many, views show it, nobody uses a tick that was
 * reserved, and a replica that has nothing to do with the node serves on. Once the node is as it was, all serve again.
 * A run that fails names its seed, which {@code -Dfuzz.seed=} runs again, and keeps the payload in {@code target/fuzz},
 * below the path of its node: it belongs into the resources then, beside what has failed before.
 */
@Execution(ExecutionMode.CONCURRENT)
final class NodeFuzzTest {
    private static final int ROUNDS = Proof.size(8, 1_250);
    private static final int PAYLOADS = 8;
    private static final int SLOTS = 8;
    private static final int STEPS = 1_000;
    private static final Duration A_WHILE = Duration.ofSeconds(1);
    private static final Duration LONG_ENOUGH = Duration.ofMinutes(2);
    private static final Path CORPUS = Path.of("src", "test", "resources", "fuzz");
    private static final List<Class<?>> TYPES =
            List.of(MetaNode.class, LayoutNode.class, LeaseNode.class, MemberNode.class, SlotRecord.class);

    @Test
    void shouldServeWhateverHasFailedBefore() throws IOException {
        try (Stream<Path> files = Files.list(CORPUS)) {
            List<Path> kept = files.sorted().toList();
            assertTrue(kept.size() > 1, "payloads: " + kept.size());
            for (Path each : kept) {
                String[] parts = Files.readString(each).split("\n", 2);
                Round round = new Round(0);
                round.put(round.node(parts[0]), parts[1]);
            }
        }
    }

    @Test
    void shouldServeWhateverNodesHold() throws IOException {
        long seed = Long.getLong("fuzz.seed", new Random().nextLong());
        System.out.println("fuzz.seed=" + seed);
        for (int i = 0; i < ROUNDS; i++) {
            Round round = new Round(seed + i);
            for (int j = 0; j < PAYLOADS; j++) {
                String path = round.anyNode();
                String data = round.payload(path);
                try {
                    round.put(path, data);
                } catch (RuntimeException | Error e) {
                    throw new AssertionError(
                            "seed " + (seed + i) + ", kept in " + keep((seed + i) + "-" + j, path + "\n" + data), e);
                }
            }
        }
    }

    private static Path keep(String name, String payload) throws IOException {
        Path directory = Files.createDirectories(Path.of("target", "fuzz"));
        return Files.writeString(directory.resolve(name + ".node"), payload);
    }

    /** An ID that was issued, of a scheme by its index. */
    private record Issued(int scheme, long high, long low) {}

    /** One replica that serves, slots that were released or retired, and one more replica for each payload. */
    private static final class Round {
        private final Bench bench = new Bench();
        private final Scheme<?>[] schemes = {
            Bench.sno(SLOTS), new Uid60Scheme(Duration.ofHours(1)), new EightByteScheme(3)
        };
        private final Random random;
        private final FuzzedPayloads payloads;
        private final Set<Issued> issued = new HashSet<>();
        /** Of each record, the last tick that nobody may use any more, as replicas wrote it. */
        private final Map<String, Long> reserved = new HashMap<>();
        /** Of each tenure, the last tick that was reserved before it. */
        private final Map<String, Long> before = new HashMap<>();

        private final Replicated serving;
        private boolean forging;
        private int replicas;

        Round(long seed) {
            random = new Random(seed);
            payloads = new FuzzedPayloads(random);
            bench.zookeeper.onWrite((path, data, created) -> {
                if (path.contains("/records/") && !forging) {
                    written(path, Payloads.read(path, data, SlotRecord.class));
                }
            });
            serving = bench.replica("serving", schemes);
            step(serving, A_WHILE);
            Replicated left = bench.replica("left", schemes);
            step(left, A_WHILE);
            draw(left);
            var unused = ClusterView.on(bench.access(schemes))
                    .retire(schemes[0], left.tenure().slot().number());
            left.loop.close();
            step(serving, A_WHILE);
            assertServes();
        }

        private void written(String path, SlotRecord record) {
            before.putIfAbsent(record.nonce(), reserved.getOrDefault(path, -1L));
            Long floor = record.floor(); // of one that leaves a snapshot, with which the next goes on in the same tick
            reserved.put(path, floor == null ? record.ceiling() : floor - 1);
        }

        /**
         * The node at a path; of one that ends in a star, any below, and in a plus, any below that is the serving
         * replica's.
         */
        String node(String path) {
            String parent = path.substring(0, path.length() - 1);
            return switch (path.charAt(path.length() - 1)) {
                case '*' -> anyOf(nodes().filter(each -> !ownPaths().contains(each)), parent);
                case '+' -> anyOf(ownPaths().stream(), parent);
                default -> path;
            };
        }

        private static String anyOf(Stream<String> paths, String parent) {
            return paths.filter(each -> each.startsWith(parent)).findFirst().orElseThrow();
        }

        private Stream<String> nodes() {
            return bench.zookeeper.tree().keySet().stream().filter(path -> path.startsWith(Bench.ROOT));
        }

        /** Any node, or that of a free slot's lease or record that is not there. */
        String anyNode() {
            List<String> all = new ArrayList<>(nodes().toList());
            String slot = schemes[0].pool().orElseThrow().nameOf(random.nextInt(SLOTS));
            all.add(Bench.TREE.records(schemes[0].pool().orElseThrow()) + "/" + slot);
            all.add(Bench.TREE.leases(schemes[0].pool().orElseThrow()) + "/" + slot);
            return all.get(random.nextInt(all.size()));
        }

        /** Of what is there, or of what another node holds. */
        String payload(String path) {
            Optional<String> own = bench.zookeeper.node(path).map(node -> node.data());
            List<String> all =
                    nodes().map(bench::data).filter(data -> !data.isEmpty()).toList();
            String any = all.get(random.nextInt(all.size()));
            return payloads.next(random.nextInt(5) == 0 ? any : own.orElse(any));
        }

        void put(String path, String data) {
            readAsAnything(path, data);
            Optional<String> old = bench.zookeeper.node(path).map(node -> node.data());
            boolean unconcerned = isOthers(path);
            List<Tenure> tenures = tenures(serving);
            forge(path, data, old.isPresent());
            look();
            Replicated claiming = bench.replica("claiming-" + replicas++, schemes);
            for (int i = 0; i < 3; i++) {
                step(serving, A_WHILE);
                step(claiming, A_WHILE);
            }
            look();
            if (unconcerned) {
                assertServes();
                assertEquals(tenures, tenures(serving));
            }
            close(claiming);
            putBack(path, data, old);
            step(serving, A_WHILE); // finds out that the node was put back
            for (int i = 0; i < LONG_ENOUGH.toSeconds() && !servesAll(); i++) {
                step(serving, A_WHILE);
            }
            assertServes();
        }

        /** Whether a node belongs to another replica, or to a slot that the serving one does not hold. */
        private boolean isOthers(String path) {
            return path.matches(".*/(leases|records|members)/.*") && !ownPaths().contains(path);
        }

        private Set<String> ownPaths() {
            Set<String> own = new HashSet<>(Set.of(Bench.TREE.member("serving")));
            for (Tenure tenure : tenures(serving)) {
                own.add(Bench.TREE.lease(tenure.slot()));
                own.add(Bench.TREE.record(tenure.slot()));
            }
            return own;
        }

        private List<Tenure> tenures(Replicated replica) {
            return IntStream.range(0, schemes.length)
                    .boxed()
                    .flatMap(i -> replica.slots(i).tenures().stream())
                    .toList();
        }

        private static void readAsAnything(String path, String data) {
            for (Class<?> type : TYPES) {
                try {
                    var unused = Payloads.read(path, data, type);
                } catch (StoreException e) {
                    assertTrue(
                            e.kind() == StoreException.Kind.MALFORMED || e.kind() == StoreException.Kind.NEWER,
                            e::toString);
                    assertTrue(String.valueOf(e.getMessage()).contains(path), e::toString);
                }
            }
        }

        /** What a record reserves that says less than before, or hands over a state, only its forger knows. */
        private void forge(String path, String data, boolean exists) {
            long said = Payloads.readable(path, data, SlotRecord.class)
                    .map(record -> record.snapshot() == null ? record.ceiling() : -1)
                    .orElse(Long.MAX_VALUE);
            if (said < reserved.getOrDefault(path, -1L)) {
                reserved.remove(path);
            }
            write(path, data, exists);
        }

        private void write(String path, String data, boolean exists) {
            forging = true;
            if (exists) {
                bench.zookeeper.set(path, data);
            } else {
                bench.zookeeper.create(path, data, path.contains("/leases/") ? bench.zookeeper.newSession() : 0);
            }
            forging = false;
        }

        /** As an operator would, unless a replica has written the node meanwhile. */
        private void putBack(String path, String data, Optional<String> old) {
            boolean untouched = bench.zookeeper
                    .node(path)
                    .filter(node -> node.data().equals(data))
                    .isPresent();
            if (untouched && old.isPresent()) {
                write(path, old.get(), true);
            } else if (untouched && path.contains("/leases/")) {
                bench.zookeeper.delete(path);
            }
        }

        private void look() {
            ClusterView view = ClusterView.on(bench.access(schemes));
            assertTrue(view.state().pools().size() == schemes.length, "all pools are shown");
            assertTrue(OnStore.examine(bench.access(schemes)).size() > 1, "the doctor says something");
        }

        private void step(Replicated replica, Duration time) {
            int steps = 0;
            for (long left = time.toNanos(); left > 0; ) {
                long wait = replica.loop.step();
                assertTrue(wait >= 0 && ++steps < STEPS, "steps: " + steps);
                bench.advance(Duration.ofNanos(Math.min(wait, left)));
                left -= wait;
            }
            draw(replica);
        }

        private void draw(Replicated replica) {
            for (Tenure tenure : tenures(replica)) {
                assertTrue(
                        tenure.fence().floorTick() > before.getOrDefault(tenure.nonce(), -1L),
                        () -> tenure + " begins at " + tenure.fence().floorTick() + ", reserved was all through "
                                + before.get(tenure.nonce()));
            }
            for (int i = 0; i < schemes.length; i++) {
                draw(replica, i);
            }
        }

        private void draw(Replicated replica, int scheme) {
            try {
                var unused = Draw.of(replica.slots(scheme).current(), 3, Variant.NONE, (high, low) -> {
                    assertTrue(issued.add(new Issued(scheme, high, low)), "issued twice: " + high + " " + low);
                });
            } catch (FencedException e) {
                assertTrue(!e.reason().sentence().isEmpty(), e::toString); // refused in words
            }
        }

        private boolean servesAll() {
            return IntStream.range(0, schemes.length).allMatch(serving::serves);
        }

        private void assertServes() {
            assertTrue(
                    servesAll(),
                    () -> Arrays.toString(IntStream.range(0, schemes.length)
                            .filter(i -> !serving.serves(i))
                            .mapToObj(serving::why)
                            .toArray()));
        }

        /** In order, as far as what is in ZooKeeper lets it; else its session ends. */
        private void close(Replicated replica) {
            try {
                replica.loop.close();
            } catch (StoreException e) {
                assertTrue(!e.unanswered(), e::toString);
            }
            replica.loop.giveUp();
            bench.zookeeper.expire(replica.client.session().id());
        }
    }
}
