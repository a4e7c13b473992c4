package org.idallocator.dropwizard.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Small files of one JSON object each, which processes write for one another and people can read. */
final class JsonFile {
    private static final Logger LOG = LoggerFactory.getLogger(JsonFile.class);

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES) // of a later version
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();

    private JsonFile() {}

    /** What a file holds; empty when there is no file, or the file does not hold that type. */
    static <T> Optional<T> read(Path file, Class<T> type) throws IOException {
        try {
            return Optional.ofNullable(MAPPER.readValue(Files.readAllBytes(file), type));
        } catch (NoSuchFileException | JsonProcessingException e) {
            LOG.debug("{} holds no {}, and counts as absent", file, type.getSimpleName(), e);
            return Optional.empty();
        }
    }

    /**
     * Writes a file, unless it has this content already. Readers see the old content or the new one, never a part. Only
     * one process at a time may call this for a file.
     */
    static void write(Path file, Object content) throws IOException {
        if (read(file, content.getClass()).filter(content::equals).isEmpty()) {
            Path beside = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(beside, MAPPER.writeValueAsString(content) + "\n");
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
