package org.idallocator.service.api;

import org.idallocator.core.scheme.Parameter;

/**
 * A query parameter of one scheme.
 *
 * @param name as in a query
 * @param allowed the allowed values, in words
 */
public record ParameterEntry(String name, String allowed) {
    static ParameterEntry of(Parameter parameter) {
        return new ParameterEntry(parameter.name(), parameter.allowed());
    }
}
