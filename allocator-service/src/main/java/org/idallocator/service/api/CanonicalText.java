package org.idallocator.service.api;

/**
 * The canonical text of a scheme's IDs.
 *
 * @param length the number of ASCII characters
 * @param pattern a regular expression that every canonical text matches
 */
public record CanonicalText(int length, String pattern) {}
