package org.idallocator.service.problems;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What the operations guide, which is in the jar, says of each reason why nothing is issued. Thread-safe. */
public final class Guide {
    private static final String FILE = "operations.md";
    private static final Pattern SECTION = Pattern.compile("(?ms)^### ([a-z-]+)\\n(.*?)(?=^#{1,3} |\\z)");
    private static final Map<String, String> SECTIONS = read();

    private Guide() {}

    /** The section on a reason, given by its code, as Markdown with its heading; empty where there is none. */
    public static Optional<String> section(String reason) {
        return Optional.ofNullable(SECTIONS.get(reason));
    }

    private static Map<String, String> read() {
        try (InputStream in = Objects.requireNonNull(Guide.class.getResourceAsStream(FILE), FILE)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return SECTION.matcher(text)
                    .results()
                    .collect(Collectors.toUnmodifiableMap(found -> found.group(1), Guide::whole));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String whole(MatchResult section) {
        return section.group().strip() + "\n";
    }
}
