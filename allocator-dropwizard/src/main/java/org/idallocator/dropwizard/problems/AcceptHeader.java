package org.idallocator.dropwizard.problems;

import com.google.common.base.Ascii;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.QuotedQualityCSV;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the header {@code Accept}: whether {@code text/plain} comes before every other type in which a problem can be
 * answered.
 */
public final class AcceptHeader {
    private static final Logger LOG = LoggerFactory.getLogger(AcceptHeader.class);
    private static final Predicate<String> OTHER_TEXT =
            Pattern.compile("text/(?!plain\\b|\\*).*").asMatchPredicate();

    private AcceptHeader() {}

    public static boolean prefersPlainText(HttpServletRequest request) {
        return prefersPlainText(Collections.list(request.getHeaders("Accept")));
    }

    /** Takes the values of all {@code Accept} headers as they came. Values that cannot be read prefer nothing. */
    static boolean prefersPlainText(List<String> accepts) {
        QuotedQualityCSV accepted = new QuotedQualityCSV();
        try {
            accepts.forEach(accept -> accepted.addValue(Ascii.toLowerCase(accept)));
        } catch (RuntimeException e) { // such as a parameter without a type
            LOG.debug("a client's Accept cannot be read", e);
            return false;
        }
        return accepted.getValues().stream()
                .filter(OTHER_TEXT.negate())
                .findFirst()
                .filter(type -> type.startsWith("text/"))
                .isPresent();
    }
}
