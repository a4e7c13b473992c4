package org.idallocator.faults.scene;

/**
 * What a row has to reach, and what it reached.
 *
 * @param what in words
 * @param limit the goal, with its unit
 * @param measured what was measured, with its unit
 * @param met whether that is within the limit
 */
public record Goal(String what, String limit, String measured, boolean met) {}
