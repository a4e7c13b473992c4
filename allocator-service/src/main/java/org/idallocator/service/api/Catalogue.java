package org.idallocator.service.api;

import java.util.List;

/** The answer to {@code GET /ids}: the schemes that this replica serves, and what keeps its slots apart from those of others. */
public record Catalogue(List<SchemeEntry> schemes, ZooKeeperEntry zookeeper) {}
