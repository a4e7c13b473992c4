package org.idallocator.service.api;

import java.util.List;

/** Answers {@code GET /ids}: what this replica serves. */
public record Catalogue(List<SchemeEntry> schemes) {}
