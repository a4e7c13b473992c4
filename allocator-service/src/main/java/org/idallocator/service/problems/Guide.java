package org.idallocator.service.problems;

import com.google.common.io.Resources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/** What the operations guide, which is in the jar, says of each reason why nothing is issued. Thread-safe. */
public final class Guide {
    private static final Pattern SECTION = Pattern.compile("(?ms)^### ([a-z-]+)\\n(.*?)(?=^#{1,3} |\\z)");

    private Guide() {}

    /** The section on a reason, given by its code, as Markdown with its heading; empty where there is none. */
    public static Optional<String> section(String reason) throws IOException {
        String guide = Resources.toString(Resources.getResource(Guide.class, "operations.md"), StandardCharsets.UTF_8);
        return SECTION.matcher(guide)
                .results()
                .filter(section -> section.group(1).equals(reason))
                .map(section -> section.group().strip() + "\n")
                .findFirst();
    }
}
