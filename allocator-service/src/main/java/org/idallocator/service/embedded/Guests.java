package org.idallocator.service.embedded;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.idallocator.zk.settings.Replica;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes that use a directory's ZooKeeper and do not run it. Each has a locked file in {@link DataDirectory#guests}, whose
 * name begins with its process ID. A file without a lock was left behind.
 */
final class Guests implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Guests.class);

    private final LockFile file;

    private Guests(LockFile file) {
        this.file = file;
    }

    /** Counts this process among them until closed. */
    static Guests join(DataDirectory directory) throws IOException {
        Files.createDirectories(directory.guests());
        Optional<LockFile> file = Optional.empty();
        while (file.isEmpty()) { // whoever counts may have locked the new file first, to see whether somebody has it
            String name = Replica.local().pid() + "-" + UUID.randomUUID();
            file = LockFile.tryLock(directory.guests().resolve(name));
        }
        return new Guests(file.get());
    }

    /** Their process IDs. */
    static List<String> present(DataDirectory directory) throws IOException {
        List<String> present = new ArrayList<>();
        for (Path file : files(directory)) {
            if (LockFile.isTaken(file)) {
                present.add(file.getFileName().toString().replaceFirst("-.*", ""));
            }
        }
        return present;
    }

    private static List<Path> files(DataDirectory directory) throws IOException {
        if (!Files.isDirectory(directory.guests())) {
            return List.of();
        }
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory.guests())) {
            all.forEach(files::add);
        }
        return files;
    }

    /** Removes what processes that were killed have left. */
    static void tidy(DataDirectory directory) throws IOException {
        for (Path file : files(directory)) {
            if (!LockFile.isTaken(file)) {
                Files.deleteIfExists(file);
            }
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(file.path());
        } catch (IOException e) {
            LOG.warn("{} is left behind; it counts for nothing", file.path(), e);
        }
        file.close();
    }
}
