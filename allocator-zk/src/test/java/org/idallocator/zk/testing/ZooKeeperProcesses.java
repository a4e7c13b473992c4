package org.idallocator.zk.testing;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import com.google.common.io.MoreFiles;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.zookeeper.Version;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/**
 * ZooKeepers as child JVMs, from the test's own class path. A test can back up their disks, bring backups back, and
 * wipe them.
 *
 * <p>With {@code -Dzookeeper.server=VERSION} and {@code -Dzookeeper.server.jars=DIRECTORY}, members run that version of
 * ZooKeeper: its jars in that directory come before those of the class path. What a test itself asks ZooKeeper with
 * stays as it is.
 */
public final class ZooKeeperProcesses extends ZooKeepers {
    /** In the module: a killed run leaves nothing elsewhere. */
    private static final Path BUILT = Path.of("target");

    /** Which version members run: another than the test's client, where somebody asks for that. */
    private static final String VERSION = System.getProperty("zookeeper.server", Version.getVersion());

    /** Where the jars of that version are; empty where the class path has them. */
    private static final String JARS = System.getProperty("zookeeper.server.jars", "");

    private final List<Integer> quorumPorts;
    private final List<Integer> electionPorts;
    private final Path directory;
    private final Map<Integer, ChildProcess> members = new TreeMap<>();
    private final Class<?> main;
    private final List<String> options;

    public ZooKeeperProcesses(int members) {
        this(members, QuorumPeerMain.class, List.of());
    }

    /** Members with a main class of the caller's choice, and options for their JVMs. */
    ZooKeeperProcesses(int members, Class<?> main, List<String> options) {
        super(members);
        this.main = main;
        this.options = List.copyOf(options);
        List<Integer> inner = Ports.free(2 * members);
        quorumPorts = inner.subList(0, members);
        electionPorts = inner.subList(members, 2 * members);
        directory = assertDoesNotThrow(() -> Files.createTempDirectory(Files.createDirectories(BUILT), "zookeepers")
                .toAbsolutePath());
    }

    /** One ZooKeeper that serves. */
    public static ZooKeeperProcesses alone() {
        ZooKeeperProcesses alone = new ZooKeeperProcesses(1);
        alone.started();
        return alone;
    }

    /**
     * ZooKeepers that serve, as processes also where Docker answers.
     *
     * @param main the members' main class: ZooKeeper's own, or one that makes ZooKeeper worse
     * @param options options for the members' JVMs
     */
    public static ZooKeeperProcesses of(int members, Class<?> main, List<String> options) {
        ZooKeeperProcesses processes = new ZooKeeperProcesses(members, main, options);
        processes.started();
        return processes;
    }

    /** The version of ZooKeeper that members are to run, such as {@code 3.9.5}. */
    public static String wantedVersion() {
        return VERSION;
    }

    /** Copies what a killed member has on its disk. */
    public void backUp(int member, Path to) {
        copy(data(member), to);
    }

    /** Puts a backup in the place of what a killed member has on its disk. */
    public void bringBack(int member, Path from) {
        delete(data(member));
        copy(from, data(member));
    }

    /** Empties the disk of a killed member. */
    public void wipe(int member) {
        delete(data(member));
    }

    /** Whether a member's process runs; it may have ended by itself. */
    public boolean runs(int member) {
        return member(member).alive();
    }

    private Path data(int member) {
        return directory.resolve(Integer.toString(member)).resolve("version-2");
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path all) {
        assertDoesNotThrow(() -> MoreFiles.deleteRecursively(all));
    }

    @Override
    void start(int member) {
        try {
            Path home = Files.createDirectories(directory.resolve(Integer.toString(member)));
            Files.writeString(home.resolve("myid"), Integer.toString(member + 1));
            Files.write(home.resolve("zoo.cfg"), configuration(member, home));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        restart(member);
    }

    private List<String> configuration(int member, Path home) {
        List<String> lines = new ArrayList<>(List.of(
                "dataDir=" + home,
                "clientPort=" + port(member),
                "clientPortAddress=127.0.0.1",
                "tickTime=" + TICK_MILLIS,
                "initLimit=20",
                "syncLimit=10",
                "maxSessionTimeout=60000",
                "maxClientCnxns=0",
                "admin.enableServer=false"));
        if (size() > 1) {
            IntStream.range(0, size())
                    .mapToObj(
                            i -> "server." + (i + 1) + "=127.0.0.1:" + quorumPorts.get(i) + ":" + electionPorts.get(i))
                    .forEach(lines::add);
        }
        return lines;
    }

    @Override
    public void restart(int member) {
        Path home = directory.resolve(Integer.toString(member));
        List<String> arguments = new ArrayList<>(List.of("-Xmx" + HEAP_MEGABYTES + "m", NO_WAIT_FOR_THE_DISK));
        arguments.addAll(options);
        arguments.addAll(List.of(
                "-cp", classPath(), main.getName(), home.resolve("zoo.cfg").toString()));
        members.put(member, ChildProcess.java(home.resolve("output"), Map.of(), arguments));
    }

    /** The first jar that has a class counts. */
    private static String classPath() {
        String own = System.getProperty("java.class.path");
        return JARS.isEmpty() ? own : Path.of(JARS, "*") + File.pathSeparator + own;
    }

    private ChildProcess member(int member) {
        ChildProcess process = members.get(member);
        if (process == null) {
            throw new IllegalArgumentException("no member " + member + " was started");
        }
        return process;
    }

    @Override
    public void kill(int member) {
        member(member).kill();
    }

    @Override
    public void pause(int member) {
        member(member).pause();
    }

    @Override
    public void resume(int member) {
        member(member).resume();
    }

    @Override
    public void close() {
        members.values().forEach(ChildProcess::close);
        delete(directory);
    }
}
