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

/** Chooses among the formats that IDs are answered in. */
final class Negotiation {
    private static final List<Variant> VARIANTS =
            Arrays.stream(Media.values()).map(Negotiation::variant).toList();
    private static final String OFFERED =
            Arrays.stream(Media.values()).map(Media::mediaType).collect(Collectors.joining(", "));

    private Negotiation() {}

    private static Variant variant(Media media) {
        return new Variant(MediaType.valueOf(media.mediaType()), (String) null, null);
    }

    static Media media(Request request, HttpHeaders headers) {
        Variant chosen = request.selectVariant(VARIANTS);
        if (chosen == null) {
            throw new NotAcceptableException(
                    "Accept must allow one of " + OFFERED + ": " + headers.getHeaderString(HttpHeaders.ACCEPT));
        }
        return Arrays.stream(Media.values())
                .filter(media -> variant(media).equals(chosen))
                .findFirst()
                .orElseThrow();
    }
}
