package org.idallocator.faults.report;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Writes the files of the report with all results so far, so that a run that is interrupted has a report as well. */
public final class ReportFiles {
    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .disable(SerializationFeature.INDENT_OUTPUT)
            .build();

    private ReportFiles() {}

    /** {@code index.html} and {@code results.json} in a directory. */
    public static void write(Path directory, String matrix, List<Result> results) {
        try {
            Files.createDirectories(directory);
            Files.writeString(
                    directory.resolve("index.html"),
                    Page.of(matrix, Instant.now().truncatedTo(ChronoUnit.SECONDS), results));
            Files.writeString(directory.resolve("results.json"), JSON.writeValueAsString(results));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
