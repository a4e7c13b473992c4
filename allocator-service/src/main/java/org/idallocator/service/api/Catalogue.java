package org.idallocator.service.api;

import java.util.List;

/** The answer to {@code GET /ids}: the schemes that this replica serves. */
public record Catalogue(List<SchemeEntry> schemes) {}
