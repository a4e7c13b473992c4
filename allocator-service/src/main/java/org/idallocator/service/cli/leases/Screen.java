package org.idallocator.service.cli.leases;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.idallocator.service.cli.terminal.TerminalSize;

/**
 * A terminal's screen that is drawn anew each time. It shows as many lines as fit, and says how many do not, so that it never scrolls;
 * where the terminal does not tell its size, it shows all of them.
 *
 * @param header what stands at the top
 * @param size how much the terminal shows, asked for each frame, because people change that meanwhile
 */
public record Screen(String header, Supplier<Optional<TerminalSize>> size) {
    /** What empties the screen, before the first frame. */
    static final String CLEAR = "\u001b[2J";

    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";

    /**
     * What draws one frame. Each line clears the rest of what it covers, so that nothing flickers.
     *
     * @param remark what stands behind the header
     * @param text what is shown as far as it fits: one line or more
     * @param last what stands below that in any case; empty for nothing
     */
    String frame(String remark, String text, Optional<String> last) {
        List<String> above = List.of(header + remark, "");
        List<String> below = last.map(line -> List.of("", line)).orElse(List.of());
        List<String> lines = new ArrayList<>(above);
        lines.addAll(size.get()
                .map(known -> fitting(text.lines().toList(), known, rows(known, above) + rows(known, below)))
                .orElseGet(() -> text.lines().toList()));
        lines.addAll(below);
        StringBuilder frame = new StringBuilder(HOME);
        lines.forEach(line -> frame.append(line).append(CLEAR_LINE).append('\n'));
        return frame.append(CLEAR_BELOW).toString();
    }

    /** All lines, or the first ones and how many more there are. The cursor stands in a row of its own below all. */
    private static List<String> fitting(List<String> lines, TerminalSize size, int taken) {
        int free = size.rows() - 1 - taken;
        if (rows(size, lines) <= free) {
            return lines;
        }
        int left = free - size.rowsOf(more(lines.size(), size));
        List<String> shown = new ArrayList<>();
        for (String line : lines) {
            left -= size.rowsOf(line);
            if (left < 0) {
                break;
            }
            shown.add(line);
        }
        shown.add(more(lines.size() - shown.size(), size));
        return shown;
    }

    private static String more(int lines, TerminalSize size) {
        return "... and " + lines + " more, for which this terminal of " + size.rows() + " rows has no room";
    }

    private static int rows(TerminalSize size, List<String> lines) {
        return lines.stream().mapToInt(size::rowsOf).sum();
    }
}
