package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.testing.ConfigOverride;
import io.dropwizard.testing.DropwizardTestSupport;
import io.dropwizard.testing.ResourceHelpers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.testing.Said;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the log says as soon as the service listens. */
class GreetingTest {
    private final List<Said> said = new ArrayList<>();

    @Test
    @ProofOnly("a server of its own")
    void shouldSayInOneLineHowToTryTheServiceAndWhereItLeases(@TempDir Path data) throws Exception {
        DropwizardTestSupport<AllocatorConfiguration> support = new DropwizardTestSupport<>(
                AllocatorApplication.class,
                ResourceHelpers.resourceFilePath("test-service.yml"),
                ConfigOverride.config("allocator.zookeeper.embedded.dataDir", data.toString()),
                ConfigOverride.config("server.rootPath", "/api"));
        support.addListener(new DropwizardTestSupport.ServiceListener<>() {
            @Override
            public void onRun(
                    AllocatorConfiguration configuration,
                    Environment environment,
                    DropwizardTestSupport<AllocatorConfiguration> started) {
                said.add(new Said(AllocatorApplication.class, Level.INFO)); // logging is configured by now
            }
        });
        support.before();
        try (Said greeting = said.get(0)) {
            String base = "http://localhost:" + support.getLocalPort() + "/api";
            String line = greeting.lines().get(0);
            assertEquals(1, greeting.lines().size());
            assertTrue(
                    line.startsWith("An ID: curl " + base + "/ids/sno; the console: " + base
                            + "/. It leases from ZooKeeper 127.0.0.1:"),
                    line);
            assertTrue(
                    line.endsWith(", embedded, in " + data.toAbsolutePath()
                            + ", root /id-allocator. An embedded ZooKeeper keeps"
                            + " the IDs of one machine apart; several machines need one ensemble."),
                    line);
        } finally {
            support.after();
        }
    }
}
