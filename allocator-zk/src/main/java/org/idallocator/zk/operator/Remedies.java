package org.idallocator.zk.operator;

import java.time.Duration;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.store.Clients;

/**
 * What an operator does about each state that the doctor finds. {@code FILE} is the configuration file, {@code HOST}
 * and {@code PORT} are those of one of ZooKeeper's servers.
 */
final class Remedies {
    private static final String PASSES = "nothing: it passes by itself";
    private static final String SERVER_STATE = "echo srvr | nc HOST PORT";

    private final ZooKeeperSettings zookeeper;

    /** {@code zookeeper} is what the configuration file of the replica says of ZooKeeper. */
    Remedies(ZooKeeperSettings zookeeper) {
        this.zookeeper = zookeeper;
    }

    /** The remedy of a state; of one that passes by itself, that. */
    String of(FenceReason reason) {
        return switch (reason) {
            case UNREACHABLE ->
                zookeeper.namesEmbedded()
                        ? "stop what listens there, or look why the process does not answer that runs the embedded ZooKeeper"
                        : "start the ensemble, or correct zookeeper.connect; each server says of itself:\n"
                                + SERVER_STATE;
            case TLS_REFUSED -> "correct what the line above names, in zookeeper.properties or on the server";
            case NO_CHROOT -> "create each level of it:\nzkCli.sh -server HOST:PORT create PATH";
            case MALFORMED_NODE ->
                shell("get PATH")
                        + "\nA lease or member node may be deleted; of any other, put back what it was."
                        + " Where nobody knows that, run of meta\n"
                        + "fence-restore FILE\nof a layout\nleases relayout SCHEME --fence -c FILE\n"
                        + "of a record\nleases retire SCHEME SLOT -c FILE";
            case NEWER_VERSION -> "run the later version of this software here; who has it says\nleases members FILE";
            case NO_PERMISSION ->
                (logsInBySasl()
                                ? "log in, by the JAAS configuration, as a user who may"
                                : "name credentials in zookeeper.auth that may")
                        + " read, write, create and delete there, or correct the ACL:\n"
                        + shell("getAcl " + zookeeper.root());
            case LAYOUT_MISMATCH ->
                "give this file the values that ZooKeeper has; or, to change those for all, stop the replicas, and run\n"
                        + "leases relayout SCHEME -c FILE";
            case META_GONE, ROLLED_BACK -> "find out what ZooKeeper has lost, and run\nfence-restore FILE";
            case CLOCK_SKEW ->
                "compare both clocks with a third, here and on the server that says Mode: leader (or standalone):\n"
                        + "date -u; " + SERVER_STATE
                        + "\nhow far the clock of each replica is from ZooKeeper's, says\nleases members FILE";
            case COOLING -> "wait";
            case STARTING, CLOCK_BEHIND, LAYOUT_CHANGED, DEADLINE_PASSED, CEILING_PASSED, SESSION_LOST -> PASSES;
            case RECORD_TAKEN, LEASE_GONE, LEASE_REPLACED, META_CHANGED, TENURE_ENDED, NO_FREE_SLOT -> PASSES;
            case RELEASED, DRAINED, CHECKPOINT, CLOSED -> PASSES;
        };
    }

    private boolean logsInBySasl() {
        return Clients.hasIdentity(zookeeper) && !zookeeper.hasCredentials();
    }

    /** For a root that is not there, or has nothing in it. */
    String emptyRoot() {
        return "on a first start, nothing: start the service. If replicas were here before, correct zookeeper.root; or, where"
                + " ZooKeeper lost its data,\nbring a backup back and run fence-restore FILE, or retire again what was retired:"
                + " leases retire SCHEME SLOT -c FILE";
    }

    /**
     * For a pool with a long window that nobody serves from; {@code longest} is how long what was reserved may last.
     */
    static String nobodyVouches(Duration longest) {
        return "start the replicas, and wait; or, where you know that no backup came back since a TIME of "
                + longest.toSeconds() + " s ago or more,\nfence-restore --nothing-restored TIME FILE";
    }

    /** For a floor that is further ahead than any terms explain, in one of these nodes. */
    String farFloor(String meta, String layout) {
        return "wait, where any replica had so long a window, or a clock was that far ahead together with ZooKeeper's; only where"
                + " neither can be, somebody has edited a node: put back its floor\n" + shell("get " + meta) + "\n"
                + shell("get " + layout);
    }

    /** Where more slots come from. */
    static String moreSlots(SlotPool pool) {
        String larger = switch (pool.growth()) {
            case LARGER_POOL -> "enlarge the pool (leases relayout SCHEME -c FILE), or ";
            case OTHER_CLUSTER -> "give further replicas another clusterId, which has a pool of its own, or ";
            case NONE -> "";
        };
        return larger + "put back what was retired:\nleases unretire SCHEME SLOT -c FILE";
    }

    /** For a pool whose records cannot be read. */
    static String unreadableRecords() {
        return "put back what the records were, or retire their slots:\nleases retire SCHEME SLOT -c FILE";
    }

    /** For nodes that anybody may write. */
    String strangers() {
        return (Clients.hasIdentity(zookeeper)
                        ? "where all replicas have these credentials, take the nodes from strangers:\n"
                        : "give all replicas credentials, by zookeeper.auth, start them again, and take the nodes from strangers:\n")
                + shell("").strip()
                + (logsInBySasl() ? ", with the JAAS file of the replicas" : "\naddauth digest USER:PASSWORD")
                + "\nsetAcl -R " + zookeeper.root() + " auth::cdrwa";
    }

    /** For a session timeout that ZooKeeper did not grant. */
    static String refusedTimeout(long askedMillis, long grantedMillis) {
        return "in each server's zoo.cfg, "
                + (grantedMillis < askedMillis ? "maxSessionTimeout=" : "minSessionTimeout=") + askedMillis
                + "; or ask for what ZooKeeper grants, with zookeeper.sessionTimeout of all replicas, and run\n"
                + "leases relayout SCHEME -c FILE";
    }

    /** The shell looks below the chroot, as replicas do, so that paths mean the same to both. */
    private String shell(String command) {
        return "zkCli.sh -server " + zookeeper.connect() + " " + command;
    }
}
