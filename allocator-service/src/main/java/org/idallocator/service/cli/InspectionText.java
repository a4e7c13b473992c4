package org.idallocator.service.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.api.FieldValue;
import org.idallocator.service.api.Inspection;
import org.idallocator.service.cli.Table.Column;
import org.idallocator.service.reading.Candidate;
import org.idallocator.service.text.Quoted;

/** What an ID says, in whole lines. */
final class InspectionText {
    private static final ObjectMapper MAPPER = AnswerMapper.get();
    private static final int RADIX = 16;
    private static final int HEX_DIGIT_BITS = 4;
    private static final int ROW_BITS = 32;

    private InspectionText() {}

    /** For programs: each candidate has its form and what {@code GET /ids/{scheme}/{id}} answers, without the holder. */
    static String json(String input, List<Candidate> candidates) {
        ObjectNode line = MAPPER.createObjectNode().put("input", input);
        ArrayNode readings = line.putArray("candidates");
        for (Candidate candidate : candidates) {
            ObjectNode reading = MAPPER.valueToTree(candidate.reading());
            reading.remove("holder");
            readings.add(MAPPER.createObjectNode().put("form", candidate.form()).setAll(reading));
        }
        return line + "\n";
    }

    /** For people: the ID in one line, its fields as a table, its bits, and its other forms; so for each candidate. */
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
        text.append(candidate.canonical() ? "\n" : "  (read as " + candidate.form() + ")\n");
        text.append(fields(reading.fields())).append(bits(candidate));
        reading.forms().forEach((name, form) -> text.append(name + ": " + form + "\n"));
        candidate.notes().forEach(note -> text.append("note: " + note + "\n"));
        reading.remarks().forEach(remark -> text.append("note: " + remark + "\n"));
        return text.toString();
    }

    private static String fields(List<FieldValue> fields) {
        return Table.of(
                fields,
                List.of(
                        Column.of("", field -> letter(fields.indexOf(field))),
                        Column.of("field", FieldValue::name),
                        new Column<>(
                                "bits",
                                true,
                                field -> field.bits().get(0) + ".."
                                        + field.bits().get(1)),
                        new Column<>("width", true, field -> Integer.toString(width(field))),
                        new Column<>("value", true, field -> field.value().toString()),
                        new Column<>("hex", true, InspectionText::hex)));
    }

    /** The letter that stands for a field, by its index. */
    private static String letter(int field) {
        return String.valueOf((char) ('a' + field));
    }

    private static int width(FieldValue field) {
        return field.bits().get(1) - field.bits().get(0) + 1;
    }

    /** The value in hex, with as many digits as the field's bits fill. */
    private static String hex(FieldValue field) {
        String digits = new BigInteger(field.value().toString()).toString(RADIX);
        int length = (width(field) + HEX_DIGIT_BITS - 1) / HEX_DIGIT_BITS;
        return "0".repeat(Math.max(0, length - digits.length())) + digits;
    }

    /** The bits in rows of 32, and beside them the letters of the bits' fields; a dot stands for a bit without a field. */
    private static String bits(Candidate candidate) {
        String digits = new BigInteger(candidate.reading().hex(), RADIX).toString(2);
        String bits = "0".repeat(candidate.bits() - digits.length()) + digits;
        String letters = letters(candidate);
        StringBuilder rows = new StringBuilder();
        for (int from = 0; from < bits.length(); from += ROW_BITS) {
            rows.append("%3d  %-35s  %s%n".formatted(from, row(bits, from), row(letters, from)));
        }
        return rows.toString();
    }

    private static String letters(Candidate candidate) {
        char[] letters = new char[candidate.bits()];
        Arrays.fill(letters, '.');
        List<FieldValue> fields = candidate.reading().fields();
        for (int i = 0; i < fields.size(); i++) {
            List<Integer> bits = fields.get(i).bits();
            Arrays.fill(letters, bits.get(0), bits.get(1) + 1, letter(i).charAt(0));
        }
        return new String(letters);
    }

    /** One row, in groups of eight. */
    private static String row(String all, int from) {
        String row = all.substring(from, Math.min(all.length(), from + ROW_BITS));
        return row.replaceAll("(.{8})(?=.)", "$1 ");
    }
}
