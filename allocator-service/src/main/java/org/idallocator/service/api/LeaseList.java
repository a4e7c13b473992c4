package org.idallocator.service.api;

import java.util.List;

/** The answer to every request for leases: {@code HeldSlot}s of this replica, or {@code LeaseView}s of the whole cluster. */
public record LeaseList<T>(List<T> leases) {}
