package org.idallocator.service.bundle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.Lists;
import io.dropwizard.core.setup.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jetty.util.component.LifeCycle;
import org.idallocator.service.config.AllocatorConfiguration;
import org.idallocator.service.embedded.EmbeddedStartException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is opened beside the start is what the bundle runs with. */
class OpenAheadTest {
    @TempDir
    private Path directory;

    private final Environment environment = new Environment("early");
    private final IdAllocatorBundle<AllocatorConfiguration> bundle =
            IdAllocatorBundle.of(AllocatorConfiguration.class, AllocatorConfiguration::allocator);

    @Test
    void shouldRunWithWhatWasOpenedAndCloseItWhenTheProgramStops() throws Exception {
        AllocatorConfiguration configuration = configuration(directory);
        bundle.openAhead(configuration);
        bundle.run(configuration, environment);

        String address = Files.readString(directory.resolve("server.json"));
        String port = bundle.zookeeper().replaceFirst(".*127\\.0\\.0\\.1:([0-9]+),.*", "$1");
        assertTrue(address.contains(port), address);
        for (LifeCycle managed : Lists.reverse(environment.lifecycle().getManagedObjects())) {
            managed.start();
            managed.stop();
        }
        assertEquals(
                false, Files.exists(directory.resolve("server.json")), "the file goes when ZooKeeper ends in order");
    }

    @Test
    void shouldTellWhatCannotBeOpenedWhenItRuns() throws IOException {
        AllocatorConfiguration configuration = configuration(Files.createFile(directory.resolve("file")));
        bundle.openAhead(configuration);

        assertThrows(EmbeddedStartException.class, () -> bundle.run(configuration, environment));
    }

    private static AllocatorConfiguration configuration(Path data) throws IOException {
        String json =
                "{\"allocator\": {\"zookeeper\": {\"embedded\": {\"enabled\": true, \"dataDir\": \"" + data + "\"}}}}";
        return new ObjectMapper().readValue(json, AllocatorConfiguration.class);
    }
}
