package org.idallocator.service.api;

/**
 * What a resume has done.
 *
 * @param resumed whether the replica was drained, and claims slots again now
 */
public record ResumeReport(boolean resumed) {}
