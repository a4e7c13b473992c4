package org.idallocator.zk.lease;

/**
 * One slot that was changed for another.
 *
 * @param scheme the scheme's name
 * @param from the slot that was given back, or is about to be
 * @param to the slot that serves now
 */
public record Rotated(String scheme, String from, String to) {}
