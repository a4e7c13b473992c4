package org.idallocator.service.testing;

import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.dropwizard.jackson.Jackson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.service.AllocatorConfiguration;
import org.idallocator.zk.operator.FirstStart;

/** A configuration file with an embedded ZooKeeper, whose data is beside it. */
public final class ConfigFile {
    private ConfigFile() {}

    /** Writes {@code config.yml} into a directory; ZooKeeper's data will be in {@code data}. */
    public static Path in(Path directory) throws IOException {
        return in(directory, "config.yml", "");
    }

    /**
     * The same under another name, with more keys of {@code allocator}, in YAML's flow style, each with a comma behind
     * it.
     */
    public static Path in(Path directory, String name, String more) throws IOException {
        String section = "allocator: {%s zookeeper: {sessionTimeout: 60s, embedded: {enabled: true, dataDir: '%s'}}}";
        return Files.writeString(directory.resolve(name), section.formatted(more, directory.resolve("data")));
    }

    /** Runs the ZooKeeper of a configuration until closed. Its root is new, or as a test before has left it. */
    public static ZooKeeperInUse start(Path file) {
        try {
            AllocatorConfiguration configuration =
                    Jackson.newObjectMapper(new YAMLFactory()).readValue(file.toFile(), AllocatorConfiguration.class);
            ZooKeeperInUse started = ZooKeeperInUse.openWithoutPromise(configuration.allocator());
            FirstStart.withoutWaiting(started.settings());
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
