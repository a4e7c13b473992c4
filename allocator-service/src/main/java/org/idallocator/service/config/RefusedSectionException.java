package org.idallocator.service.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonMappingException;
import java.util.List;
import org.idallocator.zk.settings.Mistakes;

/** An allocator's section was read, and cannot be used. */
final class RefusedSectionException extends JsonMappingException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> mistakes;

    RefusedSectionException(JsonParser parser, IllegalArgumentException cause) {
        super(parser, "the section cannot be used", cause);
        this.mistakes = Mistakes.of(cause);
    }

    /** One sentence for each mistake; it begins with the key, as the section has that. */
    List<String> mistakes() {
        return mistakes;
    }
}
