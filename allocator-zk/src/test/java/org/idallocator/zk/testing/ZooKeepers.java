package org.idallocator.zk.testing;

import static org.idallocator.core.testing.HangGuard.await;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.idallocator.core.testing.HangGuard;

/**
 * A ZooKeeper alone, or an ensemble of three, on fixed ports of this machine. Where Docker answers, the members are
 * containers of the real image; elsewhere they are child JVMs of the same version. A test need not know which. Members
 * are numbered from 0. All waiting ends with an error after {@link HangGuard#TIME}.
 */
public abstract class ZooKeepers implements AutoCloseable {
    /** ZooKeeper's unit of time: sessions end on a multiple of it, and none is shorter than two. */
    public static final int TICK_MILLIS = 500;

    static final String IMAGE = "zookeeper:3.9.5";

    /**
     * An option of a member's JVM. Who kills a member loses nothing that the member has written: the machine still has
     * it. Waiting for the disk, which all that runs here shares, would only let sessions end that no test wants to end.
     */
    static final String NO_WAIT_FOR_THE_DISK = "-Dzookeeper.forceSync=no";

    static final int HEAP_MEGABYTES = 256;

    private final List<Integer> ports;

    ZooKeepers(int members) {
        this.ports = Ports.free(members);
    }

    /** One ZooKeeper that serves. */
    public static ZooKeepers alone() {
        return of(1);
    }

    /** An ensemble of three that serves. */
    public static ZooKeepers ensemble() {
        return of(3);
    }

    private static ZooKeepers of(int members) {
        ZooKeepers started =
                Docker.whyNot().isEmpty() ? new ZooKeeperContainers(members) : new ZooKeeperProcesses(members);
        return started.started();
    }

    /** Starts all members; those that started are stopped again when one does not. */
    public final ZooKeepers started() {
        try {
            IntStream.range(0, size()).forEach(this::start);
            awaitServing();
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    public final int size() {
        return ports.size();
    }

    final int port(int member) {
        return ports.get(member);
    }

    /** {@code host:port} of a member; the same after a restart. */
    public final String address(int member) {
        return "127.0.0.1:" + port(member);
    }

    /** All members' addresses, in a connect string. */
    public final String connectString() {
        return IntStream.range(0, size()).mapToObj(this::address).collect(Collectors.joining(","));
    }

    /** The member that says that it leads, or that it is alone; empty when none does. */
    public final OptionalInt leader() {
        return IntStream.range(0, size())
                .filter(member -> mode(member)
                        .filter(List.of("leader", "standalone")::contains)
                        .isPresent())
                .findFirst();
    }

    /** {@code leader}, {@code follower} or {@code standalone}; empty when the member does not serve. */
    public final Optional<String> mode(int member) {
        return told(member, "Mode: ");
    }

    /** The version that a member says it runs, such as {@code 3.9.5}; empty when the member does not answer. */
    public final Optional<String> version(int member) {
        return told(member, "Zookeeper version: ").map(version -> version.split("-", 2)[0]);
    }

    /** What follows a word in a member's answer; empty when the member does not serve. */
    private Optional<String> told(int member, String word) {
        return FourLetters.ask(port(member), "srvr")
                .flatMap(text ->
                        text.lines().filter(line -> line.startsWith(word)).findFirst())
                .map(line -> line.substring(word.length()));
    }

    /** Waits until every member serves. */
    public final void awaitServing() {
        await("all of " + connectString() + " serve")
                .pollInterval(Duration.ofMillis(50))
                .until(() -> IntStream.range(0, size())
                        .allMatch(member -> mode(member).isPresent()));
    }

    /** Starts a member for the first time. */
    abstract void start(int member);

    /** Kills a member with SIGKILL. What the member acknowledged stays on its disk. */
    public abstract void kill(int member);

    /** Starts a killed member again, on its disk. Does not wait until the member serves. */
    public abstract void restart(int member);

    /** Pauses a member in the midst of whatever it does. Its connections stay open. */
    public abstract void pause(int member);

    /** Lets a paused member go on. */
    public abstract void resume(int member);

    /** Ends all members, and deletes what they stored. */
    @Override
    public abstract void close();
}
