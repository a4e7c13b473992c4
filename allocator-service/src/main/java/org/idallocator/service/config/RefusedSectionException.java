package org.idallocator.service.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonMappingException;
import java.util.List;
import org.idallocator.zk.settings.InvalidSettingsException;
import org.idallocator.zk.settings.Mistake;

/** An allocator's section was read, and cannot be used. */
final class RefusedSectionException extends JsonMappingException {
    private static final long serialVersionUID = 1L;

    private final InvalidSettingsException refused;

    RefusedSectionException(JsonParser parser, InvalidSettingsException refused) {
        super(parser, "the section cannot be used", refused);
        this.refused = refused;
    }

    /** What is wrong, by the keys that the section has. */
    List<Mistake> mistakes() {
        return refused.details();
    }
}
