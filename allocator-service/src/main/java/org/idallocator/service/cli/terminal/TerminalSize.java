package org.idallocator.service.cli.terminal;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How much a terminal shows at once.
 *
 * @param rows how many rows, 1 or more
 * @param columns how many characters a row has, 1 or more
 */
public record TerminalSize(int rows, int columns) {
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,4}");
    private static final int UNBOUNDED = Integer.MAX_VALUE;

    /**
     * The size that is wanted, or else the one that there is. Empty where nobody tells how many rows there are; where nobody tells
     * of columns, a row is as long as any line.
     *
     * @param environment {@code LINES} and {@code COLUMNS} in it are what the user wants, as POSIX has it
     * @param told what {@code stty size} prints: rows and columns, both 0 where the terminal does not know; empty where it fails
     */
    static Optional<TerminalSize> of(Map<String, String> environment, String told) {
        String[] words = told.strip().split(" ", -1);
        int columns = number(environment.get("COLUMNS"))
                .or(() -> number(words[words.length - 1]))
                .orElse(UNBOUNDED);
        return number(environment.get("LINES")).or(() -> number(words[0])).map(rows -> new TerminalSize(rows, columns));
    }

    private static Optional<Integer> number(@Nullable String word) {
        return Optional.ofNullable(word)
                .filter(text -> NUMBER.matcher(text).matches())
                .map(Integer::valueOf);
    }

    /** How many rows a line takes; a longer one goes on in the next row. */
    public int rowsOf(String line) {
        int characters = line.codePointCount(0, line.length());
        return Math.max(1, characters / columns + (characters % columns == 0 ? 0 : 1));
    }
}
