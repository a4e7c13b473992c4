package org.idallocator.dropwizard.cli;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.stream.Collectors;
import org.idallocator.dropwizard.api.Inspection;
import org.idallocator.dropwizard.api.Inspection.FieldValue;
import org.idallocator.dropwizard.api.Json;
import org.idallocator.dropwizard.cli.Table.Column;
import org.idallocator.dropwizard.decode.Candidate;
import org.idallocator.dropwizard.decode.Quoted;

/** What an ID says, in whole lines. */
final class InspectionText {
    private static final List<Column<FieldValue>> FIELDS = List.of(
            new Column<>("field", FieldValue::name),
            new Column<>(
                    "bits", field -> field.bits().get(0) + ".." + field.bits().get(1)),
            new Column<>("value", FieldValue::value));

    private InspectionText() {}

    private record Line(
            String input,
            @JsonIgnoreProperties({"bits", "notes"}) List<Candidate> candidates) {}

    /**
     * The JSON for programs: each candidate has its form, and what {@code GET /ids/{scheme}/{id}} answers without the
     * holder.
     */
    static String json(String input, List<Candidate> candidates) {
        return Json.line(new Line(input, candidates));
    }

    /** The text for people. Each candidate has the ID in one line, its fields as a table, and its other forms. */
    static String of(String input, List<Candidate> candidates) {
        String readings = candidates.stream().map(InspectionText::reading).collect(Collectors.joining("\n"));
        return candidates.size() == 1
                ? readings
                : Quoted.of(input) + " can be read in " + candidates.size() + " ways, the most plausible first:\n\n"
                        + readings;
    }

    private static String reading(Candidate candidate) {
        Inspection reading = candidate.reading();
        StringBuilder text = new StringBuilder(reading.id() + "  " + reading.scheme() + "  " + reading.time());
        text.append(candidate.hasCanonicalForm() ? "\n" : "  (read as " + candidate.form() + ")\n");
        text.append(Table.of(reading.fields(), FIELDS));
        reading.forms().forEach((name, form) -> text.append(name + ": " + form + "\n"));
        candidate.notes().forEach(note -> text.append("note: " + note + "\n"));
        reading.remarks().forEach(remark -> text.append("note: " + remark + "\n"));
        return text.toString();
    }
}
