package org.idallocator.service.api;

/**
 * A canonical text.
 *
 * @param length in ASCII characters
 * @param pattern a regular expression
 */
public record CanonicalText(int length, String pattern) {}
