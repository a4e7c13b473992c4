package org.idallocator.service.cli.leases;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tables for people: a line each, below a line that names the columns. */
final class Tables {
    private Tables() {}

    static <T> String table(List<T> rows, List<ColumnData<T>> columns) {
        return AsciiTable.getTable(AsciiTable.NO_BORDERS, rows, columns)
                .lines()
                .map(line -> line.substring(1).stripTrailing()) // without the place of a border
                .collect(Collectors.joining("\n"));
    }

    static <T> ColumnData<T> column(String header, Function<T, @Nullable String> value) {
        return new Column()
                .header(header)
                .headerAlign(HorizontalAlign.LEFT)
                .dataAlign(HorizontalAlign.LEFT)
                .maxWidth(Integer.MAX_VALUE) // a table is as wide as what it says
                .with(row -> {
                    String text = value.apply(row);
                    return text == null ? "" : text;
                });
    }

    static String time(@Nullable Instant instant) {
        return instant == null ? "" : instant.truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
