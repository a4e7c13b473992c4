package org.idallocator.service.errors;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * An error as RFC 9457 has it, with Dropwizard's {@code code} and {@code message}, which say the same as {@code status} and
 * {@code detail}.
 *
 * @param type {@code urn:id-allocator:…}
 * @param title what {@code type} means, in two or three words
 * @param status the HTTP status
 * @param detail what is wrong here, in one line
 * @param code the HTTP status
 * @param message the detail
 * @param reason why nothing is issued; only with status 503
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
        String type,
        String title,
        int status,
        String detail,
        int code,
        String message,
        @Nullable String reason) {
    public static final String MEDIA_TYPE = "application/problem+json";
    private static final String TYPE_PREFIX = "urn:id-allocator:";

    static Problem of(String type, String title, int status, String detail, @Nullable String reason) {
        return new Problem(TYPE_PREFIX + type, title, status, detail, status, detail, reason);
    }
}
