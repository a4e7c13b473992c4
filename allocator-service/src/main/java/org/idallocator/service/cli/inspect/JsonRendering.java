package org.idallocator.service.cli.inspect;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** One JSON object a line: {@code {"input":"…","candidates":[{"form":"canonical", and what HTTP says, without the holder}]}}. */
public final class JsonRendering implements Rendering {
    private final ObjectMapper mapper;

    public JsonRendering(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public String of(String input, List<Candidate> candidates) {
        ObjectNode line = mapper.createObjectNode().put("input", input);
        ArrayNode readings = line.putArray("candidates");
        candidates.forEach(candidate -> readings.add(json(candidate)));
        return line + "\n";
    }

    private ObjectNode json(Candidate candidate) {
        ObjectNode reading = mapper.valueToTree(candidate.reading());
        reading.remove("holder");
        return mapper.createObjectNode().put("form", candidate.form()).setAll(reading);
    }

    @Override
    public String between() {
        return "";
    }
}
