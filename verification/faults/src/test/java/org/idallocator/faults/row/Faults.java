package org.idallocator.faults.row;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.idallocator.faults.scene.Network.Direction;
import org.idallocator.faults.scene.Plan;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;
import org.idallocator.faults.scene.Stage.Trait;

/** The table of all faults. */
public final class Faults {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration YEAR = Duration.ofDays(365);
    private static final String UNDER_LONG_WINDOW = "with a window of two minutes, ";

    /** In the order of the report. */
    public static final List<Fault> ALL = List.of(
            new Fault(
                    "kill",
                    "kill -9 of a holder, twice, and its process started again immediately; one slot more than replicas, so that the"
                            + " second time it meets what the first has left",
                    plan -> Stage.of(3, plan.session()).withSlots(4),
                    ReplicaFaults::kill),
            new Fault(
                    "pause",
                    "SIGSTOP of a holder in the middle of its answers for three session timeouts, while another replica takes its"
                            + " slot; then SIGCONT",
                    plan -> Stage.of(3, plan.session()).withSlots(2),
                    ReplicaFaults::pause),
            blackhole(Direction.BOTH, "nothing passes"),
            blackhole(Direction.REQUESTS, "no request passes, but answers do,"),
            blackhole(Direction.ANSWERS, "requests pass, but no answer,"),
            new Fault(
                    "leader killed",
                    "kill -9 of ZooKeeper's leader; it comes back later",
                    plan -> Stage.of(3, Plan.DEFAULT_SESSION),
                    ZooKeeperFaults::leaderKilled),
            new Fault(
                    "quorum lost",
                    "kill -9 of two of three ZooKeepers, which come back 60 s later",
                    plan -> Stage.of(3, plan.session()),
                    ZooKeeperFaults::quorumLost),
            new Fault(
                    "zookeeper restarted",
                    "kill -9 of all ZooKeepers together, which start again on their disks",
                    plan -> Stage.of(3, plan.session()),
                    ZooKeeperFaults::ensembleRestarted),
            outage("zookeeper away", "kill -9 of all ZooKeepers, which start again 60 s later", OutageFaults::allAway),
            outage(
                    "quorum away",
                    "kill -9 of two of three ZooKeepers, which start again 60 s later",
                    OutageFaults::quorumAway),
            outage(
                    "zookeepers rolled",
                    "one ZooKeeper after the other is killed with -9 and starts again 20 s later",
                    OutageFaults::rolled),
            outage(
                    "killed while away",
                    "all ZooKeepers are killed, then a replica, and all start again 30 s later",
                    OutageFaults::replicaKilled),
            new Fault(
                    "released while away",
                    UNDER_LONG_WINDOW
                            + "a holder is cut off, all ZooKeepers are killed and start again, and the operator takes the"
                            + " holder's slot away before the holder reaches them, while another replica waits for it",
                    plan -> OutageFaults.stage().withSlots(OutageFaults.SLOTS).with(Trait.LINES),
                    OutageFaults::slotReleased),
            new Fault(
                    "claim unanswered",
                    "a new replica's first claim is made, but its answer is lost and its connection breaks",
                    plan -> Stage.of(2, plan.session()).withSlots(4).with(Trait.LINES),
                    LineFaults::claimUnanswered),
            new Fault(
                    "renewal unanswered",
                    "a holder's renewal is made, but its answer is lost and its connection breaks; three times",
                    plan -> Stage.of(3, plan.session()).withSlots(4).with(Trait.LINES),
                    LineFaults::renewalUnanswered),
            new Fault(
                    "release unanswered",
                    "a holder stops in order and releases its slots, but the answer is lost and its connection breaks, while"
                            + " another replica waits for the slot",
                    plan -> Stage.of(3, plan.session()).withSlots(2).with(Trait.LINES),
                    LineFaults::releaseUnanswered),
            new Fault(
                    "slow disks",
                    "every commit takes " + ZooKeeperFaults.DELAY.toMillis() + " ms longer on all ZooKeepers",
                    plan -> Stage.of(3, plan.session()),
                    ZooKeeperFaults::slowDisks),
            new Fault(
                    "lease deleted",
                    "a holder's lease node is deleted by hand, while another replica waits for the slot",
                    plan -> Stage.of(3, plan.session()).withSlots(ReplicaFaults.SLOTS),
                    ReplicaFaults::leaseDeleted),
            clockJump("+5 ms", Duration.ofMillis(5)),
            clockJump("-5 ms", Duration.ofMillis(-5)),
            clockJump("+1 h", HOUR),
            clockJump("-1 h", HOUR.negated()),
            clockJump("+1 year", YEAR),
            clockJump("-1 year", YEAR.negated()),
            new Fault(
                    "wiped",
                    "a holder is cut off and still serves; all ZooKeepers are killed and start again on empty disks; replicas that ran"
                            + " through it and one that knows of nothing before go on without an operator",
                    // Sessions of 10 s, so that the one that is cut off still serves when ZooKeeper does again.
                    plan -> Stage.of(3, Plan.DEFAULT_SESSION)
                            .withSlots(Wiped.SLOTS)
                            .with(Trait.LINES),
                    Wiped::strike),
            new Fault(
                    "old backup",
                    "a holder is cut off and still serves; the other replicas are killed, then all ZooKeepers, which start again on a"
                            + " backup that is older than its tenure; the operator runs fence-restore and starts the replicas",
                    // Sessions of 10 s, so that the one that is cut off still serves when ZooKeeper does again.
                    plan -> Stage.of(1, Plan.DEFAULT_SESSION)
                            .withSlots(OldBackup.SLOTS)
                            .with(Trait.LINES),
                    OldBackup::strike),
            new Fault(
                    "relayout",
                    "a holder is cut off and still serves; the operator cuts snos into " + LayoutChanged.MORE_SHARDS
                            + " slots instead of " + LayoutChanged.SHARDS
                            + ", which takes --fence, and starts one replica after the other with that layout",
                    // Sessions of 10 s, so that the holder still serves when the command has done its work.
                    plan -> Stage.of(3, Plan.DEFAULT_SESSION)
                            .withSlots(LayoutChanged.SHARDS)
                            .with(Trait.LINES),
                    LayoutChanged.moreShards()::strike),
            new Fault(
                    "long wiped",
                    UNDER_LONG_WINDOW + "the same as " + quoted("wiped"),
                    plan -> OutageFaults.stage().withSlots(Wiped.SLOTS).with(Trait.LINES),
                    Wiped::strike),
            new Fault(
                    "long old backup",
                    UNDER_LONG_WINDOW + "the same as " + quoted("old backup"),
                    plan -> OutageFaults.stage(1).withSlots(OldBackup.SLOTS).with(Trait.LINES),
                    OldBackup::strike),
            new Fault(
                    "emptied",
                    UNDER_LONG_WINDOW
                            + "a holder is cut off and still serves; the other replicas are killed, and all nodes below the"
                            + " root are deleted; the operator runs fence-restore --new-root, which refuses, and starts the replicas",
                    plan -> OutageFaults.stage().withSlots(Emptied.SLOTS).with(Trait.LINES),
                    Emptied::strike),
            new Fault(
                    "window longer",
                    "the same as " + quoted("relayout") + ", from a window of ten seconds to one of two minutes",
                    plan -> Stage.of(3, Plan.DEFAULT_SESSION)
                            .withSlots(LayoutChanged.SHARDS)
                            .with(Trait.LINES),
                    LayoutChanged.window(OutageFaults.WINDOW)::strike),
            new Fault(
                    "window shorter",
                    "the same as " + quoted("relayout") + ", from a window of two minutes to one of ten seconds",
                    plan -> OutageFaults.stage().withSlots(LayoutChanged.SHARDS).with(Trait.LINES),
                    LayoutChanged.window(Plan.DEFAULT_SESSION)::strike),
            new Fault(
                    "disk full",
                    "no byte can be written on the disks of two of three ZooKeepers for two session timeouts; those that end are"
                            + " started again, as a supervisor does",
                    plan -> Stage.of(3, plan.session()),
                    DiskFull::strike),
            new Fault(
                    "rolling replicas",
                    "one replica after the other stops in order and starts again, behind the load balancer",
                    plan -> Stage.of(3, Plan.DEFAULT_SESSION).with(Trait.BALANCED),
                    ReplicaFaults::rollingReplicas),
            new Fault(
                    "rolling zookeepers",
                    "one ZooKeeper after the other is killed with -9 and starts again",
                    plan -> Stage.of(3, Plan.DEFAULT_SESSION),
                    ZooKeeperFaults::rollingZooKeepers),
            new Fault(
                    "crowd",
                    ReplicaFaults.CROWD + " replicas together, which take all generator IDs of eightbyte",
                    plan -> Stage.of(ReplicaFaults.CROWD, Plan.DEFAULT_SESSION),
                    ReplicaFaults::crowd));

    private Faults() {}

    private static String quoted(String row) {
        return '"' + row + '"';
    }

    private static Fault blackhole(Direction direction, String what) {
        return new Fault(
                "blackhole " + direction.name().toLowerCase(Locale.ROOT),
                "between a holder and ZooKeeper " + what
                        + " for three session timeouts, while another replica waits for its slot",
                plan -> Stage.of(3, plan.session()).withSlots(2).with(Trait.LINES),
                scene -> LineFaults.blackhole(scene, direction));
    }

    private static Fault outage(String name, String what, Consumer<Scene> strike) {
        return new Fault(name, UNDER_LONG_WINDOW + what, plan -> OutageFaults.stage(), strike);
    }

    /** {@code words} is the offset, for the name. */
    public static Fault clockJump(String words, Duration offset) {
        return new Fault(
                "clock " + words,
                "the clock of a holder jumps by " + words
                        + " and later back; then a holder is killed, and the clock of the"
                        + " replica that waits for its slot is off by as much",
                plan -> Stage.of(3, plan.session()).withSlots(2).with(Trait.CLOCKS),
                new ClockJump(words, offset)::strike);
    }
}
