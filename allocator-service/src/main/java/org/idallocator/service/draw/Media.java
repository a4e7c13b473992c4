package org.idallocator.service.draw;

/** How IDs can be answered, the preferred way first. */
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
