package org.idallocator.service.resources;

import jakarta.ws.rs.NotAcceptableException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Variant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.idallocator.service.draw.Media;

/** Chooses the media type in which IDs are answered. */
final class Negotiation {
    private static final List<Variant> VARIANTS =
            Arrays.stream(Media.values()).map(Negotiation::variant).toList();
    private static final String OFFERED =
            Arrays.stream(Media.values()).map(Media::mediaType).collect(Collectors.joining(", "));

    private Negotiation() {}

    private static Variant variant(Media media) {
        return new Variant(MediaType.valueOf(media.mediaType()), (String) null, null);
    }

    /** The one that the client prefers; throws {@link NotAcceptableException} naming those that there are. */
    static Media media(Request request, HttpHeaders headers) {
        List<Variant> wanted = VARIANTS.stream()
                .filter(variant -> !isRefused(variant, headers))
                .toList();
        Variant chosen = wanted.isEmpty() ? null : request.selectVariant(wanted);
        if (chosen == null) {
            throw new NotAcceptableException(
                    "Accept must allow one of " + OFFERED + ": " + headers.getHeaderString(HttpHeaders.ACCEPT));
        }
        return Arrays.stream(Media.values())
                .filter(media -> variant(media).equals(chosen))
                .findFirst()
                .orElseThrow();
    }

    /** Whether the client names the type with a quality of 0, which means "not this one"; Jersey takes that for the least wish. */
    private static boolean isRefused(Variant variant, HttpHeaders headers) {
        return headers.getAcceptableMediaTypes().stream()
                .filter(type -> type.getParameters().getOrDefault("q", "1").matches("0(\\.0*)?"))
                .anyMatch(type -> (type.getType() + "/" + type.getSubtype())
                        .equalsIgnoreCase(variant.getMediaType().toString()));
    }
}
