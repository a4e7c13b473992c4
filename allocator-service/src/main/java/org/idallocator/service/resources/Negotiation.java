package org.idallocator.service.resources;

import jakarta.ws.rs.NotAcceptableException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Variant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.idallocator.service.draw.Media;

/** Chooses the media type in which IDs are answered. */
final class Negotiation {
    /** What counts as said by whoever sends no Accept. */
    static final String ANY = MediaType.WILDCARD;

    /** The types, the preferred one first, and the same for Jersey. */
    private static final List<Media> MEDIA = List.of(Media.values());

    private static final List<Variant> VARIANTS =
            MEDIA.stream().map(Negotiation::variant).toList();
    private static final String OFFERED = MEDIA.stream().map(Media::mediaType).collect(Collectors.joining(", "));

    /** What widely used clients send whose programs say nothing of it, word for word, and what {@link #preferred} makes of that. */
    static final Map<String, Media> OF_CLIENTS = Map.of(
            "application/json, text/plain, */*", Media.JSON, // axios, Angular
            "text/plain, application/json, application/*+json, */*", Media.TEXT, // Spring, for a String
            "application/json, application/*+json", Media.JSON, // Spring, for anything else
            "text/html, image/gif, image/jpeg, */*; q=0.2", Media.TEXT); // Java's URLConnection

    /** What Accept says where that needs no thought: one of the types alone, that any will do, or what many clients send. */
    private static final Map<String, Media> PLAIN = plain();

    private Negotiation() {}

    private static Map<String, Media> plain() {
        Map<String, Media> plain = new HashMap<>(OF_CLIENTS);
        MEDIA.forEach(media -> plain.put(media.mediaType(), media));
        plain.put(ANY, MEDIA.get(0));
        return Map.copyOf(plain);
    }

    private static Variant variant(Media media) {
        return new Variant(MediaType.valueOf(media.mediaType()), (String) null, null);
    }

    /** The type for an Accept that needs no thought: one type alone, any, or what many clients send. Empty for every other one. */
    static Optional<Media> plain(String accept) {
        return Optional.ofNullable(PLAIN.get(accept));
    }

    /** The one that the client prefers; throws {@link NotAcceptableException} naming those that there are. */
    static Media media(Request request, HttpHeaders headers) {
        String accept = headers.getHeaderString(HttpHeaders.ACCEPT);
        return plain(accept == null ? ANY : accept).orElseGet(() -> preferred(request, headers));
    }

    /** The same by thinking about each type that Accept has. */
    static Media preferred(Request request, HttpHeaders headers) {
        List<MediaType> acceptable = headers.getAcceptableMediaTypes();
        List<Variant> wanted = VARIANTS.stream()
                .filter(variant -> !isRefused(variant, acceptable))
                .toList();
        Variant chosen = wanted.isEmpty() ? null : request.selectVariant(wanted);
        if (chosen == null) {
            throw new NotAcceptableException(
                    "Accept must allow one of " + OFFERED + ": " + headers.getHeaderString(HttpHeaders.ACCEPT));
        }
        return MEDIA.get(VARIANTS.indexOf(chosen));
    }

    /** Whether the client names the type with a quality of 0, which means "not this one"; Jersey takes that for the least wish. */
    private static boolean isRefused(Variant variant, List<MediaType> acceptable) {
        return acceptable.stream()
                .filter(type -> type.getParameters().getOrDefault("q", "1").matches("0(\\.0*)?"))
                .anyMatch(type -> (type.getType() + "/" + type.getSubtype())
                        .equalsIgnoreCase(variant.getMediaType().toString()));
    }
}
