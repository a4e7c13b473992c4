package org.idallocator.service.openapi;

import io.swagger.v3.oas.models.Operation;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Calls of curl that people paste, under the name {@code x-codeSamples}, by which tools that show descriptions find them. */
final class Samples {
    private static final String EXTENSION = "x-codeSamples";

    private final String base;

    /** {@code base} is what comes before the paths of the routes, as the client has it. */
    Samples(URI base) {
        this.base = base.toString().replaceFirst("/$", "").replace("'", "%27"); // it stands between such marks
    }

    /**
     * One call.
     *
     * @param options what stands before the address: nothing, or options of curl, each followed by a space
     * @param path the path and the query
     */
    record Sample(String options, String path) {}

    static Sample get(String path) {
        return new Sample("", path);
    }

    static Sample get(String path, String accept) {
        return new Sample("-H 'Accept: " + accept + "' ", path);
    }

    void add(Operation operation, List<Sample> samples) {
        operation.addExtension(EXTENSION, samples.stream().map(this::written).toList());
    }

    private Map<String, String> written(Sample sample) {
        Map<String, String> written = new LinkedHashMap<>();
        written.put("lang", "Shell");
        written.put("label", "curl");
        written.put("source", "curl " + sample.options() + "'" + base + sample.path() + "'");
        return written;
    }
}
