package org.idallocator.bench.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.apache.zookeeper.common.X509Exception.SSLContextException;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** Three ZooKeepers as processes on the loopback interface. They write to the disk as ZooKeepers do. */
public final class Ensemble implements AutoCloseable {
    private static final int MEMBERS = 3;
    private static final long PAUSE_NANOS = 20_000_000;
    private static final long LONGEST_NANOS = 60_000_000_000L;
    private static final double SECOND_NANOS = 1e9;
    private static final long EPOCH = 0xffff_ffffL;
    private static final Pattern ZXID = Pattern.compile("(?m)^Zxid: 0x([0-9a-f]+)$");
    private static final Pattern RECEIVED = Pattern.compile("(?m)^zk_packets_received\\t(\\d+)$");

    private final Scratch scratch;
    private final List<Integer> ports;
    private final List<Child> members = new ArrayList<>();

    private Ensemble(Scratch scratch, List<Integer> ports) {
        this.scratch = scratch;
        this.ports = ports;
    }

    /** Starts an ensemble, and waits until all of its members serve. */
    public static Ensemble start(Scratch scratch) {
        Ensemble ensemble = new Ensemble(scratch, ports());
        List<Integer> inner = Stream.concat(ports().stream(), ports().stream()).toList();
        try {
            for (int member = 0; member < MEMBERS; member++) {
                ensemble.members.add(ensemble.start(member, inner));
            }
            ensemble.awaitServing();
            return ensemble;
        } catch (RuntimeException e) {
            ensemble.close();
            throw e;
        }
    }

    private static List<Integer> ports() {
        return Stream.generate(Http::freePort).distinct().limit(MEMBERS).toList();
    }

    private Child start(int member, List<Integer> inner) {
        Path home = scratch.directory("zookeeper");
        List<String> lines = new ArrayList<>(List.of(
                "dataDir=" + home,
                "clientPort=" + ports.get(member),
                "clientPortAddress=127.0.0.1",
                "tickTime=2000",
                "initLimit=10",
                "syncLimit=5",
                "maxClientCnxns=0",
                "4lw.commands.whitelist=srvr,mntr",
                "admin.enableServer=false"));
        IntStream.range(0, MEMBERS)
                .mapToObj(i -> "server." + (i + 1) + "=127.0.0.1:" + inner.get(i) + ":" + inner.get(MEMBERS + i))
                .forEach(lines::add);
        Scratch.file(home.resolve("myid"), List.of(Integer.toString(member + 1)));
        String zoo = scratch.file("zoo.cfg", lines).toString();
        String jar = System.getProperty("java.class.path");
        return Child.start(
                scratch.path("zookeeper-output"),
                Map.of(),
                List.of(Programs.jdk("java"), "-Xmx512m", "-cp", jar, QuorumPeerMain.class.getName(), zoo));
    }

    private void awaitServing() {
        long fromNanos = System.nanoTime();
        for (int member = 0; member < MEMBERS; member++) {
            while (!ask(member, "mntr").contains("zk_server_state")) {
                members.get(member).requireAlive();
                if (System.nanoTime() - fromNanos > LONGEST_NANOS) {
                    throw new IllegalStateException("the ensemble does not serve:\n"
                            + members.get(member).printed());
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** Where one of the members listens. */
    public int port() {
        return ports.get(0);
    }

    /** The connect string. Clients spread over the members. */
    public String connect() {
        return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    /** What the members have counted so far. */
    public Counted counted() {
        long transactions = 0;
        long requests = 0;
        for (int member = 0; member < MEMBERS; member++) {
            long zxid = Long.parseLong(Child.found(ZXID, ask(member, "srvr")), 16);
            transactions = Math.max(transactions, zxid & EPOCH);
            requests += Long.parseLong(Child.found(RECEIVED, ask(member, "mntr")));
        }
        return new Counted(System.nanoTime(), transactions, requests);
    }

    private String ask(int member, String command) {
        try {
            return FourLetterWordMain.send4LetterWord("127.0.0.1", ports.get(member), command);
        } catch (IOException | SSLContextException e) {
            return "";
        }
    }

    /** Stops all members where they are, as a machine that hangs does, or has them go on. */
    public void pause(boolean paused) {
        List<String> command = new ArrayList<>(List.of("kill", paused ? "-STOP" : "-CONT"));
        members.forEach(member -> command.add(Long.toString(member.pid())));
        Child.run(scratch, command);
    }

    @Override
    public void close() {
        members.forEach(Child::close);
    }

    /**
     * Counters of the servers at one moment.
     *
     * @param nanos when they were read
     * @param transactions how many writes the ensemble has agreed on, beginnings and ends of sessions among them: the
     *     zxid counts them
     * @param requests how many requests of clients the members have received, pings among them
     */
    public record Counted(long nanos, long transactions, long requests) {

        /** How many requests there were in each second since the counters were read before. */
        public double requestsASecond(Counted before) {
            return (requests - before.requests) / ((nanos - before.nanos) / SECOND_NANOS);
        }
    }
}
