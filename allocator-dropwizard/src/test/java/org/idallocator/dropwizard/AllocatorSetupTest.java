package org.idallocator.dropwizard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.jackson.Jackson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.zk.IdAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllocatorSetupTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private AllocatorSection section() throws IOException {
        return Jackson.newObjectMapper(new YAMLFactory())
                .readValue(
                        "zookeeper: {embedded: {enabled: true, dataDir: '" + directory + "'}}", AllocatorSection.class);
    }

    /**
     * As where a program has the wrong version of a library: the process may go on, and nobody would give the slots
     * back.
     */
    @Test
    void shouldCloseAllAtOnceWhenAPartThrowsAnError() throws IOException {
        AllocatorSection section = section();
        ZooKeeperInUse zookeeper = ZooKeeperInUse.open(section);
        Path address = directory.resolve("server.json");
        assertTrue(Files.exists(address), "it serves");
        List<IdAllocator> connected = new ArrayList<>();
        Error failure = new NoClassDefFoundError("of a part");

        Error thrown = assertThrows(
                Error.class,
                () -> AllocatorSetup.run(zookeeper, section, new Environment("program"), ConsolePlace.BELOW, setup -> {
                    connected.add(setup.allocator());
                    throw failure;
                }));

        assertSame(failure, thrown);
        assertEquals(0, thrown.getSuppressed().length);
        FencedException refused =
                assertThrows(FencedException.class, () -> connected.get(0).sno().next());
        assertEquals(FenceReason.CLOSED, refused.reason());
        assertFalse(Files.exists(address), "it serves no more");
    }
}
