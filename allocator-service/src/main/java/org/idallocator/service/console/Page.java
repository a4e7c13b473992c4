package org.idallocator.service.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of the console, as it is in the jar. Files are read when a browser first asks for them.
 *
 * @param text what is in the file
 * @param type the media type
 * @param tag the entity tag, with its quotes: another one for another text
 */
record Page(String text, String type, String tag) {
    /** The page itself. */
    static final String FRONT = "index.html";

    /** Nothing else is ever looked for, so that no name leads out of the directory. */
    private static final Pattern NAME = Pattern.compile("[a-z]+\\.([a-z]+)");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html;charset=utf-8",
            "css", "text/css;charset=utf-8",
            "js", "text/javascript;charset=utf-8",
            "svg", "image/svg+xml");

    private static final Map<String, Page> READ = new ConcurrentHashMap<>();

    /** The file of a name; empty when there is none. */
    static Optional<Page> named(String name) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches() || !TYPES.containsKey(matcher.group(1))) {
            return Optional.empty();
        }
        Page known = READ.get(name);
        return known == null ? read(name, TYPES.get(matcher.group(1))) : Optional.of(known);
    }

    private static Optional<Page> read(String name, String type) {
        try (InputStream in = Page.class.getResourceAsStream(name)) {
            if (in == null) {
                return Optional.empty();
            }
            byte[] bytes = in.readAllBytes();
            Page page = new Page(new String(bytes, StandardCharsets.UTF_8), type, tag(bytes));
            READ.put(name, page);
            return Optional.of(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String tag(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return '"' + HexFormat.of().formatHex(digest, 0, 8) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
