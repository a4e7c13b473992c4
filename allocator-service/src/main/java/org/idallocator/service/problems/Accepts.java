package org.idallocator.service.problems;

import com.google.common.base.Ascii;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.QuotedQualityCSV;

/** Whether a client asked for text: {@code text/plain} comes before any other type in which a problem could be answered. */
public final class Accepts {
    private static final Predicate<String> OTHER_TEXT =
            Pattern.compile("text/(?!plain\\b|\\*).*").asMatchPredicate();

    private Accepts() {}

    public static boolean text(HttpServletRequest request) {
        return text(Collections.list(request.getHeaders("Accept")));
    }

    /** Takes the values of the headers {@code Accept} as they came. What cannot be read in them asks for nothing. */
    static boolean text(List<String> accepts) {
        QuotedQualityCSV accepted = new QuotedQualityCSV();
        accepts.forEach(accept -> accepted.addValue(Ascii.toLowerCase(accept)));
        return accepted.getValues().stream()
                .filter(OTHER_TEXT.negate())
                .findFirst()
                .filter(type -> type.startsWith("text/"))
                .isPresent();
    }
}
