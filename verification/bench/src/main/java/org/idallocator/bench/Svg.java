package org.idallocator.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A small drawing. Its colours follow the reader's preference for light or dark, on a ground of their own. Not thread-safe. */
public final class Svg {
    private static final String STYLE = """
            <style>
            text,rect{fill:currentColor}path{fill:none;stroke:currentColor}
            .ground{color:#fff}.ink{color:#1f2328}.faint{color:#6e7781}.good{color:#0969da}.bad{color:#bc4c00}
            @media(prefers-color-scheme:dark){
            .ground{color:#0d1117}.ink{color:#e6edf3}.faint{color:#8b949e}.good{color:#58a6ff}.bad{color:#f0883e}}
            </style>
            """;

    private final StringBuilder text = new StringBuilder();

    /** An empty drawing of a size in pixels; the title is for those who do not see it. */
    public Svg(int width, int height, String title) {
        add("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' role='img'"
                        .formatted(width, height, width, height)
                + " font-family='sans-serif' font-size='11'>");
        add("<title>" + escaped(title) + "</title>");
        text.append(STYLE);
        add("<rect class='ground' width='100%' height='100%'/>");
    }

    /** What something is drawn for. */
    public enum Ink {
        INK,
        FAINT,
        GOOD,
        BAD;

        private String attribute() {
            return "class='" + name().toLowerCase(Locale.ROOT) + "'";
        }
    }

    /** Text at a point; {@code anchor} is start, middle or end. */
    public void text(double x, double y, String anchor, Ink ink, String said) {
        add("<text %s x='%.1f' y='%.1f' text-anchor='%s'>%s</text>", ink.attribute(), x, y, anchor, escaped(said));
    }

    /** A rectangle 12 pixels high. */
    public void bar(double x, double y, double width, Ink ink) {
        add("<rect %s x='%.1f' y='%.1f' width='%.1f' height='12'/>", ink.attribute(), x, y, width);
    }

    /** A line through points. */
    public void line(Ink ink, boolean dashed, List<Point> points) {
        StringBuilder path = new StringBuilder();
        points.forEach(point -> path.append(
                String.format(Locale.ROOT, "%s%.1f %.1f", path.length() == 0 ? "M" : "L", point.x(), point.y())));
        add("<path %s d='%s'%s/>", ink.attribute(), path, dashed ? " stroke-dasharray='4 3'" : "");
    }

    /** A place in pixels, from the upper left corner. */
    public record Point(double x, double y) {}

    /** Writes the drawing, and says where; says that it is not written where there is no such directory. */
    public void write(Path file) {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            System.err.println("not drawn, because there is no directory " + directory);
            return;
        }
        try {
            Files.writeString(file, drawn());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        System.err.println("drawn: " + file);
    }

    String drawn() {
        return text + "</svg>\n";
    }

    private void add(String format, Object... values) {
        text.append(values.length == 0 ? format : String.format(Locale.ROOT, format, values))
                .append('\n');
    }

    private static String escaped(String said) {
        return said.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
