package org.idallocator.service.bundle;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.EmbeddedStartException;
import org.idallocator.service.embedded.Ensemble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An ensemble that is opened beside the start belongs to one: to whoever takes it, or to whoever closes the opening. */
class OpeningTest {
    @TempDir
    private Path directory;

    @Test
    void shouldLeaveTheEnsembleOpenWhenItWasTaken() throws Exception {
        Opening opening = Opening.of(section(directory));
        try (Ensemble ensemble = opening.take()) {
            opening.close();
            assertTrue(ensemble.embedded());
            assertTrue(serves(), "the ZooKeeper is the taker's");
            assertThrows(IllegalStateException.class, opening::take);
        }
        assertFalse(serves());
    }

    @Test
    void shouldCloseTheEnsembleWhenNobodyTookIt() throws Exception {
        Opening opening = Opening.of(section(directory));
        opening.close();
        assertFalse(serves());
        assertThrows(IllegalStateException.class, opening::take);
    }

    @Test
    void shouldTellWhoeverTakesItWhatCannotBeOpened() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        Opening opening = Opening.of(section(file));
        assertThrows(EmbeddedStartException.class, opening::take);
        opening.close();
    }

    /** Whether the directory tells where its ZooKeeper is: the file goes when that ends in order. */
    private boolean serves() {
        return Files.exists(directory.resolve("server.json"));
    }

    private static AllocatorSection section(Path data) throws IOException {
        String json = "{\"zookeeper\": {\"embedded\": {\"enabled\": true, \"dataDir\": \"" + data + "\"}}}";
        return new ObjectMapper().readValue(json, AllocatorSection.class);
    }
}
