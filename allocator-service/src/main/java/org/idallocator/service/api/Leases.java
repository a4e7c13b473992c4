package org.idallocator.service.api;

import java.util.List;

/** Answers every question for leases: {@code HeldSlot}s of this replica or {@code LeaseView}s of the cluster. */
public record Leases<T>(List<T> leases) {}
