package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.operator.Check;
import org.idallocator.zk.operator.Check.Result;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.operator.OperatorAccess;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.ForwardingStore;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.SimulatedClient;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.Transaction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The doctor says that all is well if, and only if, one more replica of that configuration serves at once. */
final class DoctorTest {
    private static final Scheme<?> TWO_SLOTS = Bench.sno(2);
    private static final Scheme<?> MUID = new MuidScheme();
    private static final Scheme<?> UID60 = new Uid60Scheme(Duration.ofHours(1));
    private static final AllocatorSettings USUAL = Bench.settings("one-more", List.of(TWO_SLOTS));
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    /**
     * What a replica meets.
     *
     * @param name what it is
     * @param settings the configuration of the replica, and the one that is examined
     * @param granted the session timeout that ZooKeeper grants
     * @param happens what has happened before
     * @param bad a bad finding, as {@code what: detail [reason]}, a regular expression; empty where all is well
     */
    private record Row(
            String name, AllocatorSettings settings, Duration granted, Consumer<Bench> happens, Optional<String> bad) {

        static Row ok(String name, Consumer<Bench> happens) {
            return new Row(name, USUAL, Bench.TEN_SECONDS, happens, Optional.empty());
        }

        static Row bad(String name, String finding, Consumer<Bench> happens) {
            return new Row(name, USUAL, Bench.TEN_SECONDS, happens, Optional.of(finding));
        }

        Row with(AllocatorSettings other) {
            return new Row(name, other, granted, happens, bad);
        }

        Row granted(Duration other) {
            return new Row(name, settings, other, happens, bad);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Row> rows() {
        return Stream.of(roots(), generations(), rights(), slots()).flatMap(rows -> rows);
    }

    private static Stream<Row> roots() {
        return Stream.of(
                Row.ok("a root that is promised to be new", DoctorTest::promised),
                Row.ok("a root that was used", DoctorTest::used),
                Row.ok("a session timeout that is not granted", DoctorTest::used)
                        .granted(Duration.ofSeconds(4)),
                Row.bad(
                        "an empty root",
                        "root: /ids does not exist or is empty: the first replica begins it, and serves 16 s later"
                                + " \\[cooling]",
                        bench -> {}),
                Row.bad(
                        "a root with nothing left in it",
                        "root: /ids does not exist or is empty, and what was below it was deleted: .* \\[cooling]",
                        bench -> {
                            used(bench);
                            List.copyOf(bench.zookeeper.children(Bench.ROOT))
                                    .forEach(child -> bench.zookeeper.delete(Bench.ROOT + "/" + child));
                        }),
                Row.bad(
                        "no meta",
                        "root: the meta node is missing.* run fence-restore \\(/ids/meta does not exist\\) \\[meta-gone]",
                        bench -> lose(bench, "/ids/meta")),
                Row.bad(
                        "no incarnation",
                        "root: the meta node is missing.*\\(/ids/meta/[0-9a-f-]{36} does not exist\\) \\[meta-gone]",
                        bench -> {
                            used(bench);
                            bench.zookeeper.delete("/ids/meta/" + bench.meta().incarnation());
                        }),
                Row.bad(
                        "a malformed meta",
                        "root: a node in ZooKeeper does not hold what it should; .*\\(/ids/meta does not hold a meta node\\)"
                                + " \\[malformed-node]",
                        bench -> edit(bench, "/ids/meta", ".*", "no JSON")),
                Row.bad(
                        "a clock that is wrong",
                        "clock: the clock is too far from ZooKeeper's; correct the clock \\(the clock is 3[0-9]{3} ms behind"
                                + " ZooKeeper's, allowed are 2000 ms\\) \\[clock-skew]",
                        bench -> {
                            used(bench);
                            bench.leaderOff(Duration.ofMillis(3_500));
                        }),
                Row.bad(
                        "a floor that is ahead",
                        "sno: 0 of 2 slots are held, and a free one serves at 20.*Z, in 8[0-9] s: earlier times are, or may"
                                + " have been, reserved \\[cooling]",
                        bench -> {
                            used(bench);
                            OnStore.fenceRestore(access(bench, USUAL), FenceRestore.Options.none());
                        }),
                Row.bad(
                        "a floor that is years ahead",
                        "sno: 0 of 2 slots are held, and .* 2050-01-01T00:00:00Z, in \\d+ s: .* \\[cooling]",
                        bench ->
                                edit(bench, "/ids/meta", "\"floor\":\"[^\"]*\"", "\"floor\":\"2050-01-01T00:00:00Z\"")),
                Row.bad(
                        "a floor that is centuries ahead",
                        "sno: no time is left after 9000-01-01T00:00:00Z \\[ceiling-passed]",
                        bench -> edit(
                                bench, "/ids/meta", "\"floor\":\"[^\"]*\"", "\"floor\":\"9000-01-01T00:00:00Z\"")));
    }

    private static Stream<Row> generations() {
        AllocatorSettings shorter = USUAL.withWindow(Duration.ofSeconds(4));
        return Stream.of(
                mismatch("another layout", "it is \\{.*\"shards\":2.*}, configured is \\{.*\"shards\":4.*}")
                        .with(Bench.settings("one-more", List.of(Bench.sno(4)))),
                mismatch("another window", "window is 10000 ms, configured is 4000 ms")
                        .with(shorter),
                mismatch("another skew", "maxClockSkew is 2000 ms, configured is 1000 ms")
                        .with(USUAL.withMaxClockSkew(Duration.ofSeconds(1))),
                Row.bad(
                                "a layout that was edited",
                                "sno: the layout in ZooKeeper differs from the configuration; .*/ids/sno/layout was edited by"
                                        + " hand: .* \\[layout-mismatch]",
                                bench -> edit(
                                        bench, "/ids/sno/layout", "\"windowMillis\":10000", "\"windowMillis\":4000"))
                        .with(shorter),
                Row.bad(
                        "a malformed layout",
                        "sno: a node in ZooKeeper does not hold what it should; .*/ids/sno/layout does not hold a layout"
                                + " node\\) \\[malformed-node]",
                        bench -> edit(bench, "/ids/sno/layout", ".*", "no JSON")),
                Row.bad("no generation", "sno: .*/ids/sno/layout/.* does not exist\\) \\[layout-mismatch]", bench -> {
                    used(bench);
                    String generation =
                            bench.zookeeper.children("/ids/sno/layout").get(0);
                    bench.zookeeper.delete("/ids/sno/layout/" + generation);
                }),
                Row.bad(
                        "no layout beside records",
                        "sno: /ids/sno/layout does not exist although the pool was used: the first replica makes it, and"
                                + " serves 82 s later \\[cooling]",
                        bench -> lose(bench, "/ids/sno/layout")),
                Row.bad(
                        "no records",
                        "sno: ZooKeeper has lost what it acknowledged.*\\(/ids/sno/records is gone\\) \\[rolled-back]",
                        bench -> lose(bench, "/ids/sno/records")),
                Row.bad(
                        "a scheme that is new to the root",
                        "sno: /ids/sno/layout does not exist, so nobody has used the pool yet: the first replica makes it, and"
                                + " serves 16 s later \\[cooling]",
                        DoctorTest::promisedToAnother),
                Row.ok("no parent of leases", bench -> lose(bench, "/ids/sno/leases")),
                Row.ok("no parent of members", bench -> lose(bench, "/ids/members")));
    }

    private static Row mismatch(String name, String differences) {
        return Row.bad(
                name,
                "sno: the layout in ZooKeeper differs from the configuration; correct the configuration, or run leases"
                        + " relayout \\(/ids/sno/layout: " + differences + "\\) \\[layout-mismatch]",
                DoctorTest::used);
    }

    private static Stream<Row> rights() {
        return Stream.concat(
                Stream.of("/ids/.*", "/ids/members/.*", "/ids/sno/leases/.*", "/ids/sno/records/.*")
                        .map(paths -> refused(paths, DoctorTest::used)),
                Stream.of(
                        refused(
                                        "/ids/uid60/index/.*",
                                        bench -> bench.replica("first", UID60)
                                                .step()
                                                .loop
                                                .close())
                                .with(Bench.settings("one-more", List.of(UID60))),
                        refused("/ids/sno", DoctorTest::promisedToAnother),
                        refused("/ids/sno/(layout|records|leases)", bench -> {
                            promisedToAnother(bench);
                            bench.zookeeper.create("/ids/sno", "", 0);
                        }),
                        refused("/ids/uid60/index", bench -> {
                                    promisedToAnother(bench);
                                    bench.zookeeper.create("/ids/uid60", "", 0);
                                })
                                .with(Bench.settings("one-more", List.of(UID60)))));
    }

    private static Row refused(String paths, Consumer<Bench> happens) {
        return Row.bad(
                "no rights on " + paths,
                "(rights|sno|uid60): ZooKeeper refuses access below the root; correct its ACL or the credentials \\("
                        + "/ids/(members|sno|uid60)\\) \\[no-permission]",
                bench -> {
                    happens.accept(bench);
                    bench.zookeeper.forbid(path -> path.matches(paths));
                });
    }

    private static void promisedToAnother(Bench bench) {
        promised(bench, Bench.settings("first", List.of(new EightByteScheme(3))));
    }

    private static Stream<Row> slots() {
        return Stream.of(
                Row.ok("one slot is held", bench -> hold(bench, "a")),
                Row.ok("all slots were used just now, and released in order", bench -> {
                    Replicated one = hold(bench, "a");
                    Replicated other = hold(bench, "b");
                    assertEquals(2, one.draw(1) + other.draw(1));
                    one.loop.close();
                    other.loop.close();
                }),
                Row.bad("all slots are held", "sno: 2 of 2 slots are held \\[no-free-slot]", bench -> {
                    hold(bench, "a");
                    hold(bench, "b");
                }),
                Row.bad(
                        "all slots are retired",
                        "sno: 0 of 2 slots are held, 2 are retired \\[no-free-slot]",
                        bench -> {
                            used(bench);
                            retire(bench, 0);
                            retire(bench, 1);
                        }),
                Row.bad(
                        "one slot is held and one is retired",
                        "sno: 1 of 2 slots are held, 1 is retired \\[no-free-slot]",
                        bench -> {
                            retire(bench, 1 - hold(bench, "a").tenure().slot().number());
                        }),
                Row.bad(
                        "all slots cool",
                        "sno: 0 of 2 slots are held, and a free one serves at .* \\[cooling]",
                        bench -> {
                            crash(bench, hold(bench, "a"), hold(bench, "b"));
                        }),
                Row.ok("one slot cools", bench -> crash(bench, hold(bench, "a"))),
                Row.bad(
                        "no record can be read",
                        "sno: 0 of 2 slots are held, the records of 2 cannot be read \\(0, ...\\)"
                                + " \\[malformed-node]",
                        bench -> {
                            used(bench);
                            record(bench, 0, "no JSON");
                            record(bench, 1, "no JSON");
                        }),
                Row.ok("one record may not be read", bench -> {
                    used(bench);
                    record(bench, 0, "{}");
                    bench.zookeeper.hide("/ids/sno/records/0"::equals);
                }),
                Row.bad(
                        "no record may be read",
                        "sno: 0 of 2 slots are held, the records of 2 cannot be read \\(0, ...\\)"
                                + " \\[no-permission]",
                        bench -> {
                            used(bench);
                            record(bench, 0, "{}");
                            record(bench, 1, "{}");
                            bench.zookeeper.hide(path -> path.startsWith("/ids/sno/records/"));
                        }),
                Row.ok("one lease may not be read", bench -> {
                    String lease = Bench.TREE.lease(hold(bench, "a").tenure().slot());
                    bench.zookeeper.hide(lease::equals);
                }),
                Row.bad(
                        "all slots are held, and neither lease nor record of one may be read",
                        "sno: 1 of 2 slots are held, the records of 1 cannot be read \\(0\\) \\[no-free-slot]",
                        bench -> {
                            hold(bench, "a");
                            hold(bench, "b");
                            bench.zookeeper.hide(path -> path.matches("/ids/sno/(leases|records)/0"));
                        }),
                Row.ok("the only record of a muid pool cannot be read", bench -> {
                            var first = bench.replica("first", MUID).step();
                            String record = Bench.TREE.record(first.tenure().slot());
                            first.loop.close();
                            bench.zookeeper.set(record, "no JSON");
                        })
                        .with(Bench.settings("one-more", List.of(MUID))),
                Row.bad(
                        "a slot is retired and the record of the other cannot be read",
                        "sno: 0 of 2 slots are held, 1 is retired, the records of 1 cannot be read \\(1\\)"
                                + " \\[malformed-node]",
                        bench -> {
                            used(bench);
                            retire(bench, 0);
                            record(bench, 1, "no JSON");
                        }),
                Row.bad(
                        "records were deleted",
                        "sno: 0 of 2 slots are held, and a free one serves at .*, in 1[0-9] s: .* \\[cooling]",
                        bench -> {
                            used(bench);
                            record(bench, 0, "");
                            record(bench, 1, "");
                            bench.zookeeper.delete("/ids/sno/records/0");
                            bench.zookeeper.delete("/ids/sno/records/1");
                        }));
    }

    /** Somebody who serves would say that no backup came back. */
    @Test
    void shouldSayHowLongAReplicaMayWaitWhereWindowsAreLongAndNobodyServes() {
        AllocatorSettings settings = USUAL.withWindow(Duration.ofMinutes(10));
        Bench bench = new Bench();
        promised(bench, settings);
        Check alone = pool(bench, settings);
        assertEquals(Result.WARN, alone.result());
        assertTrue(alone.seen().contains("may wait for up to 588 s"), alone.seen());
        assertTrue(String.valueOf(alone.remedy()).contains("of 604 s ago or more"), alone.remedy());
        bench.withoutPromise().replica(settings).step();
        assertFalse(pool(bench, settings).seen().contains("may wait"));
    }

    private static Check pool(Bench bench, AllocatorSettings settings) {
        List<Check> checks = OnStore.examine(access(bench, settings));
        return checks.get(checks.size() - 1);
    }

    private static void promised(Bench bench) {
        promised(bench, USUAL);
    }

    private static void promised(Bench bench, AllocatorSettings settings) {
        assertTrue(OnStore.withoutWaiting(access(bench, settings)));
    }

    private static OperatorAccess access(Bench bench, AllocatorSettings settings) {
        return new OperatorAccess(bench.zookeeper.connect(), bench.clock(), settings);
    }

    private static Replicated hold(Bench bench, String name) {
        return bench.replica(name, TWO_SLOTS).step();
    }

    /** Replicas were there, and left in order. */
    private static void used(Bench bench) {
        hold(bench, "first").loop.close();
    }

    private static void crash(Bench bench, Replicated... replicas) {
        for (Replicated replica : replicas) {
            bench.zookeeper.expire(replica.client.session().id());
        }
    }

    private static void retire(Bench bench, long slot) {
        var unused = ClusterView.on(access(bench, USUAL)).retire(TWO_SLOTS, slot);
    }

    private static void lose(Bench bench, String path) {
        used(bench);
        bench.zookeeper.delete(path);
    }

    private static void edit(Bench bench, String path, String regex, String text) {
        used(bench);
        bench.zookeeper.set(path, bench.data(path).replaceFirst(regex, text));
    }

    private static void record(Bench bench, int slot, String data) {
        String path = "/ids/sno/records/" + slot;
        if (bench.zookeeper.node(path).isPresent()) {
            bench.zookeeper.set(path, data);
        } else {
            bench.zookeeper.create(path, data, 0);
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void shouldSayThatAllIsWellIfAndOnlyIfReplicaServesAndChangeNothing(Row row) {
        Bench bench = new Bench(row.granted());
        row.happens().accept(bench);
        List<String> records = bench.zookeeper.children("/ids/sno/records");
        var before = bench.zookeeper.tree();
        List<Check> checks = OnStore.examine(access(bench, row.settings()));
        assertEquals(before.keySet(), bench.zookeeper.tree().keySet());
        assertEquals(records, bench.zookeeper.children("/ids/sno/records"));
        before.forEach((path, node) -> {
            if (!path.equals(Bench.ROOT)) { // below which the clock is asked
                assertEquals(node, bench.zookeeper.tree().get(path), path);
            }
        });
        List<String> bad = checks.stream()
                .filter(Check::failed)
                .map(check -> check.name() + ": " + check.seen() + " [" + check.reason() + "]")
                .toList();

        assertEquals(row.bad().isPresent() ? 1 : 0, bad.size(), "" + checks);
        row.bad().ifPresent(expected -> assertTrue(bad.get(0).matches(expected), bad.get(0)));
        assertEquals(row.bad().isEmpty(), serves(bench, row.settings()), "" + checks);
        assertEquals(names(row.settings()), checks.stream().map(Check::name).toList());
        checks.forEach(check -> assertEquals(
                check.result() == Result.FAIL || check.result() == Result.WARN, check.remedy() != null, "" + check));
    }

    /** Were the question carried out after all, nothing would be lost: each record would be what it was. */
    @Test
    void shouldAskForTheRightToWriteByWritingBackWhatItRead() {
        Bench bench = new Bench();
        Replicated first = hold(bench, "first");
        assertEquals(1, first.draw(1));
        first.loop.close();
        List<Store.Op.Write> asked = new ArrayList<>();
        SimulatedClient client = bench.zookeeper.connect();
        Store listening = new ForwardingStore(client) {
            @Override
            public Outcome.Sent send(Transaction transaction) {
                transaction.ops().stream()
                        .filter(op -> op.path().contains("/records/"))
                        .filter(Op.Write.class::isInstance)
                        .forEach(op -> asked.add((Op.Write) op));
                return super.send(transaction);
            }
        };

        List<Check> checks = OnStore.examine(new OperatorAccess(listening, bench.clock(), USUAL));

        assertTrue(checks.stream().noneMatch(Check::failed), "" + checks);
        assertEquals(1, asked.size());
        Store.Op.Write write = asked.get(0);
        assertEquals(new Store.Op.Write(write.path(), bench.data(write.path()), bench.version(write.path())), write);
    }

    /**
     * A replica renews, or leaves, between what the doctor reads and what it asks: that hides no right that is missing.
     */
    @ParameterizedTest
    @ValueSource(strings = {"/ids/sno/leases/.*", "/ids/sno/records/doctor-.*", "/ids/sno/records/[01]"})
    void shouldMissNoRightWhereTheRecordIsWrittenMeanwhile(String forbidden) {
        Bench bench = new Bench();
        used(bench);
        String record = "/ids/sno/records/"
                + bench.zookeeper.children("/ids/sno/records").get(0);
        Store writtenMeanwhile = new ForwardingStore(bench.zookeeper.connect()) {
            @Override
            public Outcome.Sent send(Transaction transaction) {
                bench.zookeeper.forbid(path -> false);
                bench.zookeeper.set(record, bench.data(record));
                bench.zookeeper.forbid(path -> path.matches(forbidden));
                return super.send(transaction);
            }
        };

        List<Check> checks = OnStore.examine(new OperatorAccess(writtenMeanwhile, bench.clock(), USUAL));

        assertEquals("no-permission", checks.get(checks.size() - 1).reason(), "" + checks);
    }

    /** Each finding has its own way out. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            an empty root                    | on a first start, nothing: start the service. If replicas were here before,
            no meta                          | find out what ZooKeeper has lost, and run fence-restore FILE
            a malformed layout               | zkCli.sh -server simulated:2181 get PATH A lease or member node may be deleted;
            no rights on /ids/members/.*     | name credentials in zookeeper.auth that may read, write, create and delete there,
            another window                   | give this file the values that ZooKeeper has;
            a floor that is ahead            | wait
            a clock that is wrong            | compare both clocks with a third, here and on the server that says Mode: leader
            a floor that is centuries ahead  | wait, where any replica had so long a window, or a clock was that far ahead
            all slots are held               | stop a replica that is not needed, lower leases, enlarge the pool
            no record can be read            | put back what the records were, or retire their slots: leases retire SCHEME SLOT
            no record may be read            | name credentials in zookeeper.auth that may read, write, create and delete there,
            """)
    void shouldNameTheRemedyOfWhatIsWrong(String name, String remedy) {
        Row row = rows().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
        Bench bench = new Bench(row.granted());
        row.happens().accept(bench);
        String said = OnStore.examine(access(bench, row.settings())).stream()
                .filter(Check::failed)
                .map(check -> String.valueOf(check.remedy()).replace('\n', ' '))
                .findFirst()
                .orElseThrow();

        assertTrue(said.startsWith(remedy), said);
    }

    @Test
    void shouldTellWhatItWaitsFor() {
        Bench bench = new Bench();
        used(bench);
        List<String> steps = new ArrayList<>();
        var unused = OnStore.examine(access(bench, USUAL), steps::add);

        assertEquals(
                List.of("each of ZooKeeper's servers to answer", "ZooKeeper simulated:2181 to tell what is below /ids"),
                steps);
    }

    /** What is not looked at has a line, too. */
    private static List<String> names(AllocatorSettings settings) {
        return Stream.concat(
                        Stream.of("ZooKeeper", "servers", "session", "chroot", "root", "rights", "strangers", "clock"),
                        settings.schemes().stream().map(Scheme::name))
                .toList();
    }

    private static boolean serves(Bench bench, AllocatorSettings settings) {
        Replicated replica = bench.withoutPromise().replica(settings).stepFor(AT_ONCE);
        Optional<FencedException> why = replica.status().fenced();
        return why.isEmpty() && replica.draw(1) == 1;
    }

    @Test
    void shouldSayWhatDiffersWhereThatIsNoReasonNotToServe() {
        Bench bench = new Bench(Duration.ofSeconds(4));
        promised(bench, Bench.settings("first", List.of(new EightByteScheme(3))));
        AllocatorSettings settings = Bench.settings("one-more", List.of(new EightByteScheme(4)));

        assertEquals(
                new Check(
                        "session",
                        Result.WARN,
                        "ZooKeeper refuses a timeout of 10000 ms and grants 4000 ms, by which replicas go",
                        "in each server's zoo.cfg, maxSessionTimeout=10000; or ask for what ZooKeeper grants, with"
                                + " zookeeper.sessionTimeout of all replicas, and run\n"
                                + "leases relayout SCHEME -c FILE",
                        null),
                check(bench, settings, "session"));
    }

    /** A replica that cannot begin leaves an empty root behind, in which it asked ZooKeeper's time. */
    @Test
    void shouldSayWhyNobodyBeginsTheRoot() {
        Bench bench = new Bench().withoutPromise();
        bench.leaderOff(Duration.ofSeconds(60));
        assertSeen(
                "not looked at: ZooKeeper's time is told by a write below the root, which does not exist",
                bench,
                "clock");
        assertEquals(Result.OK, check(bench, USUAL, "rights").result());
        Replicated replica = bench.replica("first", TWO_SLOTS).stepFor(AT_ONCE);
        assertEquals(FenceReason.CLOCK_SKEW, replica.reason());

        assertEquals("clock-skew", check(bench, USUAL, "clock").reason());
        assertSeen(
                "/ids does not exist or is empty: the first replica begins it, and serves 16 s later", bench, "root");
        assertSeen("not looked at: there is nothing below the root", bench, "sno");
    }

    /** Neither what is to be made above the root, nor what is to be made in it, changes anything. */
    @ParameterizedTest
    @ValueSource(strings = {"/above", "/above/ids", "/above/ids/.*"})
    void shouldSayThatTheRootCannotBeBegun(String paths) {
        Bench bench = new Bench();
        AllocatorSettings below = USUAL.withZooKeeper(USUAL.zookeeper().withRoot("/above/ids"));
        assertEquals(Result.OK, check(bench, below, "rights").result());
        bench.zookeeper.forbid(path -> path.matches(paths));

        assertEquals("no-permission", check(bench, below, "rights").reason());
        assertEquals(
                "not looked at: this client may not write, see above",
                check(bench, below, "sno").seen());
        assertEquals(Set.of(""), bench.zookeeper.tree().keySet());
    }

    @Test
    void shouldSayWhyTheRestIsNotLookedAt() {
        Bench bench = new Bench();
        lose(bench, "/ids/meta");
        for (String name : List.of("rights", "clock", "sno")) {
            assertSeen("not looked at: the root cannot be read, see above", bench, name);
        }
        Bench refusing = new Bench();
        used(refusing);
        refusing.zookeeper.forbid(path -> path.startsWith("/ids/members/"));
        for (String name : List.of("clock", "sno")) {
            assertSeen("not looked at: this client may not write, see above", refusing, name);
        }
    }

    @Test
    void shouldSayThatZooKeeperCannotBeReached() {
        Bench bench = new Bench();
        used(bench);
        SimulatedClient client = bench.zookeeper.connect();
        client.connected(false);

        List<Check> checks = OnStore.examine(new OperatorAccess(client, bench.clock(), USUAL));
        assertEquals("ZooKeeper", checks.get(0).name());
        assertEquals("unreachable", checks.get(0).reason());
        assertTrue(
                checks.get(0).seen().startsWith(FenceReason.UNREACHABLE.sentence() + " ("),
                checks.get(0).seen());
        assertTrue(checks.stream().skip(2).allMatch(check -> check.result() == Result.SKIPPED), "" + checks);
    }

    private static Check check(Bench bench, AllocatorSettings settings, String name) {
        return OnStore.examine(access(bench, settings)).stream()
                .filter(check -> check.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static void assertSeen(String seen, Bench bench, String name) {
        assertEquals(seen, check(bench, USUAL, name).seen());
    }

    @Test
    void shouldSayThatMoreIsGrantedThanWasAskedFor() {
        Bench bench = new Bench(Duration.ofSeconds(40));
        used(bench);
        Check session = check(bench, USUAL, "session");

        assertEquals(Result.WARN, session.result());
        assertEquals(
                "ZooKeeper refuses a timeout of 10000 ms and grants 40000 ms, by which replicas go", session.seen());
        assertEquals(
                "in each server's zoo.cfg, minSessionTimeout=10000; or ask for what ZooKeeper grants, with"
                        + " zookeeper.sessionTimeout of all replicas, and run\nleases relayout SCHEME -c FILE",
                session.remedy());
    }

    /** The last free slot serves one more replica, and then nobody. */
    @Test
    void shouldWarnWhereHardlyAnySlotIsLeft() {
        Bench bench = new Bench();
        hold(bench, "a");

        assertEquals(
                new Check(
                        "sno",
                        Result.WARN,
                        "1 of 2 slots are held, and 1 is left",
                        "before none is left, enlarge the pool (leases relayout SCHEME -c FILE), or put back what was"
                                + " retired:\nleases unretire SCHEME SLOT -c FILE",
                        null),
                check(bench, USUAL, "sno"));
    }

    /** A replica serves, and the slot can never be claimed before somebody acts. */
    @Test
    void shouldWarnOfRecordThatCannotBeRead() {
        Bench bench = new Bench();
        Scheme<?> many = Bench.sno(32);
        bench.replica("first", many).step().loop.close();
        bench.zookeeper.create(Bench.TREE.records(many.pool().orElseThrow()) + "/31", "{", 0);

        assertEquals(
                new Check(
                        "sno",
                        Result.WARN,
                        "0 of 32 slots are held, the records of 1 cannot be read (31)",
                        "put back what the records were, or retire their slots:\nleases retire SCHEME SLOT -c FILE",
                        null),
                check(bench, Bench.settings("one-more", List.of(many)), "sno"));
    }

    /** Nobody can retire its slot or read what it was: whoever has set the ACL has to correct that. */
    @Test
    void shouldWarnOfRecordThatMayNotBeRead() {
        Bench bench = new Bench();
        Scheme<?> many = Bench.sno(32);
        bench.replica("first", many).step().loop.close();
        String record = Bench.TREE.records(many.pool().orElseThrow()) + "/31";
        bench.zookeeper.create(record, "{}", 0);
        bench.zookeeper.hide(record::equals);
        Check check = check(bench, Bench.settings("one-more", List.of(many)), "sno");

        assertEquals(Result.WARN, check.result());
        assertEquals("0 of 32 slots are held, the records of 1 cannot be read (31)", check.seen());
        assertTrue(String.valueOf(check.remedy()).startsWith("name credentials in zookeeper.auth"), check::remedy);
    }

    /** What may not be read is no slot of this layout, and keeps nobody from retiring the one that cannot be read. */
    @Test
    void shouldNameTheWayOutOfARecordThatCannotBeReadBesideANodeOfAnotherLayoutThatMayNotBeRead() {
        Bench bench = new Bench();
        Scheme<?> many = Bench.sno(32);
        bench.replica("first", many).step().loop.close();
        String records = Bench.TREE.records(many.pool().orElseThrow());
        bench.zookeeper.create(records + "/31", "{", 0);
        bench.zookeeper.create(records + "/031", "{}", 0);
        bench.zookeeper.hide((records + "/031")::equals);

        assertEquals(
                "put back what the records were, or retire their slots:\nleases retire SCHEME SLOT -c FILE",
                check(bench, Bench.settings("one-more", List.of(many)), "sno").remedy());
    }

    /**
     * Retired slots count as used up, and nine tenths of a pool are nearly all; a replica is to hold some of the rest.
     * A replica that finds fewer slots is not ready, although it serves.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            32 | 28 | 1 | OK   | 0 of 32 slots are held, 28 are retired
            32 | 29 | 1 | WARN | 0 of 32 slots are held, 29 are retired, and 3 are left
            8  | 1  | 3 | OK   | 0 of 8 slots are held, 1 is retired
            8  | 1  | 4 | WARN | 0 of 8 slots are held, 1 is retired, and 7 are left
            8  | 1  | 7 | WARN | 0 of 8 slots are held, 1 is retired, and 7 are left
            8  | 1  | 8 | FAIL | 0 of 8 slots are held, 1 is retired, and 7 are left, fewer than leases, which is 8
            """)
    void shouldCountTheSlotsThatAreLeft(int size, int retired, int leases, Result result, String seen) {
        Bench bench = new Bench();
        Scheme<?> scheme = Bench.sno(size);
        bench.replica("first", scheme).step().loop.close();
        AllocatorSettings settings = Bench.settings("one-more", List.of(scheme));
        for (int slot = 0; slot < retired; slot++) {
            var unused = ClusterView.on(access(bench, settings)).retire(scheme, slot);
        }
        Check check = check(bench, settings.withLeases(Map.of("sno", leases)), "sno");

        assertEquals(result + " " + seen, check.result() + " " + check.seen());
        assertEquals(result == Result.FAIL ? "no-free-slot" : null, check.reason());
    }

    @Test
    void shouldSayWhenAsManySlotsServeAsAReplicaIsToHold() {
        Bench bench = new Bench();
        crash(bench, hold(bench, "a"));
        assertEquals(Result.OK, check(bench, USUAL, "sno").result());
        AllocatorSettings both = USUAL.withLeases(Map.of("sno", 2));
        Check cooling = check(bench, both, "sno");
        Replicated replica = bench.replica(both).stepFor(AT_ONCE);

        assertEquals("cooling", cooling.reason());
        assertTrue(
                cooling.seen()
                        .matches("0 of 2 slots are held, and as many free ones as leases, 2, serve at 20.*Z, in"
                                + " [1-9][0-9]? s: .*"),
                cooling.seen());
        assertEquals(
                Optional.of(FenceReason.COOLING), replica.status().lacking().map(FencedException::reason));
    }
}
