package org.idallocator.service.cli.inspect;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import java.math.BigInteger;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.idallocator.service.api.FieldValue;
import org.idallocator.service.api.Inspection;
import org.idallocator.service.reading.Candidate;
import org.idallocator.service.text.Quoted;

/** For people: the ID in one line, its fields as a table, its bits, and its other forms. */
public final class TableRendering implements Rendering {
    private static final int HEX_DIGIT_BITS = 4;
    private static final int RADIX = 16;

    @Override
    public String of(String input, List<Candidate> candidates) {
        String readings = candidates.stream().map(TableRendering::reading).collect(Collectors.joining(between()));
        return candidates.size() == 1
                ? readings
                : Quoted.of(input) + " can be read in " + candidates.size() + " ways, the most plausible first:\n"
                        + between() + readings;
    }

    @Override
    public String between() {
        return "\n";
    }

    private static String reading(Candidate candidate) {
        Inspection reading = candidate.reading();
        StringBuilder text = new StringBuilder(headline(candidate)).append('\n');
        text.append(table(reading.fields())).append('\n');
        text.append(BitDrawing.of(candidate));
        reading.forms().forEach((name, form) -> text.append(name + ": " + form + "\n"));
        candidate.notes().forEach(note -> text.append("note: " + note + "\n"));
        reading.remarks().forEach(remark -> text.append("note: " + remark + "\n"));
        return text.toString();
    }

    private static String headline(Candidate candidate) {
        Inspection reading = candidate.reading();
        String headline = reading.id() + "  " + reading.scheme() + "  " + reading.time();
        return candidate.canonical() ? headline : headline + "  (read as " + candidate.form() + ")";
    }

    private static String table(List<FieldValue> fields) {
        return AsciiTable.getTable(
                AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS,
                fields,
                List.of(
                        column("", HorizontalAlign.LEFT, field -> BitDrawing.letter(fields.indexOf(field))),
                        column("field", HorizontalAlign.LEFT, FieldValue::name),
                        column("bits", HorizontalAlign.RIGHT, TableRendering::bits),
                        column("width", HorizontalAlign.RIGHT, field -> Integer.toString(width(field))),
                        column(
                                "value",
                                HorizontalAlign.RIGHT,
                                field -> field.value().toString()),
                        column("hex", HorizontalAlign.RIGHT, TableRendering::hex)));
    }

    private static ColumnData<FieldValue> column(
            String header, HorizontalAlign align, Function<FieldValue, String> value) {
        return new Column().header(header).headerAlign(align).dataAlign(align).with(value);
    }

    private static String bits(FieldValue field) {
        return field.bits().get(0) + ".." + field.bits().get(1);
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
}
