package org.idallocator.service.ids;

/** The media types in which IDs are answered, the preferred one first. */
public enum Media {
    /** One ID a line. */
    TEXT("text/plain"),
    /** One JSON object. */
    JSON("application/json"),
    /** One JSON string a line. */
    NDJSON("application/x-ndjson");

    private final String mediaType;

    Media(String mediaType) {
        this.mediaType = mediaType;
    }

    public String mediaType() {
        return mediaType;
    }
}
