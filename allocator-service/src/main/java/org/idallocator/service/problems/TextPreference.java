package org.idallocator.service.problems;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a client asked for text: {@code text/plain} comes before any other type in which a problem could be answered. */
final class TextPreference {
    private static final Logger LOG = LoggerFactory.getLogger(TextPreference.class);

    private TextPreference() {}

    static boolean of(HttpHeaders headers) {
        return acceptable(headers).stream()
                .filter(type -> isPlainText(type) || !type.getType().equals("text"))
                .findFirst()
                .map(TextPreference::isPlainText)
                .orElse(false);
    }

    private static boolean isPlainText(MediaType type) {
        return type.getType().equals("text") && (type.getSubtype().equals("plain") || type.isWildcardSubtype());
    }

    /** The types that the client accepts, the preferred ones first; none when the header cannot be read. */
    private static List<MediaType> acceptable(HttpHeaders headers) {
        try {
            return headers.getAcceptableMediaTypes();
        } catch (RuntimeException e) {
            LOG.debug("a client's Accept cannot be read", e);
            return List.of();
        }
    }
}
