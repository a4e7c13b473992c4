package org.idallocator.service.problems;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.QuotedQualityCSV;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a client asked for text: {@code text/plain} comes before any other type in which a problem could be answered. */
final class TextPreference {
    private static final Logger LOG = LoggerFactory.getLogger(TextPreference.class);

    private static final Set<String> PLAIN_TEXT = Set.of("text/plain", "text/*");

    private TextPreference() {}

    static boolean of(HttpHeaders headers) {
        return of(acceptable(headers).stream()
                .map(type -> type.getType() + "/" + type.getSubtype())
                .toList());
    }

    /** The same of the values of Accept in front of Jersey; of none where they cannot be read. */
    static boolean ofValues(List<String> accepts) {
        QuotedQualityCSV accepted = new QuotedQualityCSV();
        try {
            accepts.forEach(accepted::addValue);
            return of(accepted.getValues());
        } catch (RuntimeException e) {
            LOG.debug("a client's Accept cannot be read", e);
            return false;
        }
    }

    /** {@code types} are those that the client accepts, the preferred ones first, each with or without parameters. */
    static boolean of(List<String> types) {
        return types.stream()
                .map(type -> type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                .filter(type -> PLAIN_TEXT.contains(type) || !type.startsWith("text/"))
                .findFirst()
                .map(PLAIN_TEXT::contains)
                .orElse(false);
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
