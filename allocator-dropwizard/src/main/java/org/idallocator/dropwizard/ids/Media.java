package org.idallocator.dropwizard.ids;

/** The media types of answers with IDs, the preferred one first. Each puts its own bytes around the IDs. */
public enum Media {
    /** One ID a line. */
    TEXT("text/plain") {
        @Override
        Frame frame(IdRequest<?> request) {
            return new Frame("", "\n", "\n", "\n");
        }
    },
    /** One JSON object. */
    JSON("application/json") {
        @Override
        Frame frame(IdRequest<?> request) {
            String head = "{\"scheme\":\"" + request.scheme().name() + "\",";
            String list = "\"count\":" + request.count() + ",\"ids\":[\"";
            if (request.isTransaction()) {
                return new Frame(head + "\"transaction\":\"", "\"," + list, "\",\"", "\"]}\n");
            }
            return request.listed()
                    ? new Frame(head + list, "\",\"", "\",\"", "\"]}\n")
                    : new Frame(head + "\"id\":\"", "", "", "\"}\n");
        }
    },
    /** One JSON string a line. */
    NDJSON("application/x-ndjson") {
        @Override
        Frame frame(IdRequest<?> request) {
            return new Frame("\"", "\"\n\"", "\"\n\"", "\"\n");
        }
    };

    private final String mediaType;

    Media(String mediaType) {
        this.mediaType = mediaType;
    }

    /** As it stands in {@code Accept} and {@code Content-Type}, such as {@code text/plain}. */
    public String mediaType() {
        return mediaType;
    }

    /** The bytes around the IDs of the answer to a request. */
    abstract Frame frame(IdRequest<?> request);
}
