package org.idallocator.zk.operator;

import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.settings.ZooKeeperSettings;

/**
 * What an operator does about each state that the doctor finds. {@code FILE} is the configuration file, {@code HOST} and {@code
 * PORT} are those of one of ZooKeeper's servers.
 */
record Remedies(ZooKeeperSettings zookeeper) {
    private static final String SERVER_STATE = "echo srvr | nc HOST PORT";

    /** The remedy of a state; of one that passes by itself, that. */
    String of(FenceReason reason) {
        return switch (reason) {
            case UNREACHABLE -> unreachable();
            case NO_CHROOT -> shell("create " + chroot());
            case MALFORMED_NODE ->
                shell("get PATH") + "\nA lease or member node may be deleted; of any other, put back what it was";
            case NO_PERMISSION ->
                "name credentials in zookeeper.auth that may read, write, create and delete there, or correct the ACL:\n"
                        + shell("getAcl " + zookeeper.root());
            case LAYOUT_MISMATCH ->
                "give this file the values that ZooKeeper has; or, to change those for all, stop the replicas, and run\n"
                        + "leases relayout SCHEME -c FILE";
            case META_GONE, ROLLED_BACK -> "find out what ZooKeeper has lost, and run\nfence-restore FILE";
            case NO_FREE_SLOT -> noFreeSlot();
            case COOLING -> "wait";
            default -> "nothing: it passes by itself";
        };
    }

    /** For a root that is not there, or has nothing in it. */
    String emptyRoot() {
        return "on a first start, nothing: start the service. If replicas were here before, correct zookeeper.root; or, where"
                + " ZooKeeper lost its data,\nbring a backup back and run fence-restore FILE, or retire again what was retired:"
                + " leases retire SCHEME SLOT -c FILE";
    }

    /** For a pool that has hardly any slot left. */
    static String enlarge() {
        return "before none is left, enlarge the pool (leases relayout SCHEME -c FILE), or put back what was retired:\n"
                + "leases unretire SCHEME SLOT -c FILE";
    }

    /** For a pool whose records cannot be read. */
    String unreadableRecords() {
        return "put back what the records were, or retire their slots:\nleases retire SCHEME SLOT -c FILE";
    }

    /** For servers that do not answer. */
    static String startServers() {
        return "start what does not answer, and see what it says of itself:\n" + SERVER_STATE;
    }

    /** For a session timeout that ZooKeeper did not grant. */
    static String refusedTimeout(long askedMillis, boolean shorter) {
        return (shorter
                        ? "in each server's zoo.cfg, maxSessionTimeout=" + askedMillis
                        : "in each server's zoo.cfg, minSessionTimeout=" + askedMillis)
                + "; or ask for what ZooKeeper grants, with zookeeper.sessionTimeout of all replicas, and run\n"
                + "leases relayout SCHEME -c FILE";
    }

    /** For this machine's clock. */
    static String clockHere() {
        return "put this machine's clock right:\ntimedatectl set-ntp true; chronyc tracking";
    }

    /** For the clock of ZooKeeper's leader. */
    static String clockOfLeader() {
        return "put the clock of ZooKeeper's leader right, which says Mode: leader (or standalone):\n" + SERVER_STATE;
    }

    /** For a clock of which nobody can tell. */
    static String clockOfEither() {
        return "compare both clocks with a third, here and on the server that says Mode: leader (or standalone):\n"
                + "date -u; " + SERVER_STATE;
    }

    private String unreachable() {
        return zookeeper.namesEmbedded()
                ? "stop what listens there, or look why the process does not answer that runs the embedded ZooKeeper"
                : "start the ensemble, or correct zookeeper.connect; each server says of itself:\n" + SERVER_STATE;
    }

    private static String noFreeSlot() {
        return "stop a replica that is not needed, put a retired slot back, or enlarge the pool:\n"
                + "leases show SCHEME -c FILE; leases unretire SCHEME SLOT -c FILE";
    }

    private String shell(String command) {
        return "zkCli.sh -server " + zookeeper.connect().replaceFirst("/.*", "") + " " + command;
    }

    private String chroot() {
        return zookeeper.connect().replaceFirst("[^/]*", "");
    }
}
