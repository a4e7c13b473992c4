package org.idallocator.service.cli.inspect;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.reading.Candidate;

/**
 * For programs: one JSON object a line, {@code {"input":"…","candidates":[…]}}. Each candidate has its form and what {@code GET
 * /ids/{scheme}/{id}} answers, without the holder.
 */
public final class JsonRendering implements Rendering {
    private static final ObjectMapper MAPPER = AnswerMapper.get();

    @Override
    public String of(String input, List<Candidate> candidates) {
        ObjectNode line = MAPPER.createObjectNode().put("input", input);
        ArrayNode readings = line.putArray("candidates");
        candidates.forEach(candidate -> readings.add(json(candidate)));
        return line + "\n";
    }

    private ObjectNode json(Candidate candidate) {
        ObjectNode reading = MAPPER.valueToTree(candidate.reading());
        reading.remove("holder");
        return MAPPER.createObjectNode().put("form", candidate.form()).setAll(reading);
    }

    @Override
    public String between() {
        return "";
    }
}
