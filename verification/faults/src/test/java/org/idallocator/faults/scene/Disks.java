package org.idallocator.faults.scene;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.idallocator.zk.testing.ZooKeeperProcesses;

/** The ZooKeepers' disks: how they are, and what is on them. */
public final class Disks {
    private final ZooKeeperProcesses zookeepers;
    private final Records records;
    private final Path directory;

    /** {@code directory} is that of {@link #options}, and has room for a backup. */
    Disks(ZooKeeperProcesses zookeepers, Records records, Path directory) {
        this.zookeepers = zookeepers;
        this.records = records;
        this.directory = directory;
    }

    /** For the JVMs of ZooKeepers whose disks these are. */
    static List<String> options(Path directory) {
        return List.of("-D" + SickZooKeeper.DIRECTORY + "=" + directory);
    }

    /** As long as this exists, with a number of milliseconds in it, commits take that long. */
    static Path delay(Path directory) {
        return directory.resolve("disk-delay");
    }

    /** As long as this exists, a member's disk is full. */
    static Path full(Path directory, String member) {
        return directory.resolve("disk-full-" + member);
    }

    /** From now on every commit takes that long on all of them. */
    public void slow(Duration delay) {
        assertDoesNotThrow(() -> Files.writeString(delay(directory), Long.toString(delay.toMillis())));
    }

    /** From now on none does. */
    public void fast() {
        assertDoesNotThrow(() -> Files.delete(delay(directory)));
    }

    /** From now on a member writes nothing. */
    public void fill(int member) {
        assertDoesNotThrow(() -> Files.createFile(full(directory, Integer.toString(member))));
    }

    /** From now on it does again. */
    public void free(int member) {
        assertDoesNotThrow(() -> Files.delete(full(directory, Integer.toString(member))));
    }

    /** Stops all ZooKeepers for as long as it takes to copy what is on their disks. */
    public void backUp() {
        all(zookeepers::kill);
        all(member -> zookeepers.backUp(member, backup(member)));
        all(zookeepers::restart);
        zookeepers.awaitServing();
    }

    /** Kills all ZooKeepers, and starts them on the backup; does not wait until they serve. */
    public void bringBack() {
        all(zookeepers::kill);
        all(member -> zookeepers.bringBack(member, backup(member)));
        all(zookeepers::restart);
        records.forget();
    }

    /** Kills all ZooKeepers, and starts them on empty disks; does not wait until they serve. */
    public void wipe() {
        all(zookeepers::kill);
        all(zookeepers::wipe);
        all(zookeepers::restart);
        records.forget();
    }

    private void all(IntConsumer action) {
        IntStream.range(0, zookeepers.size()).forEach(action);
    }

    private Path backup(int member) {
        return directory.resolve("backup-" + member);
    }
}
