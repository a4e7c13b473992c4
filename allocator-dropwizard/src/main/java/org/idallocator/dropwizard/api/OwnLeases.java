package org.idallocator.dropwizard.api;

import java.util.List;
import org.idallocator.zk.lease.HeldSlot;

/** The answer to requests for the leases of this replica. */
public record OwnLeases(List<HeldSlot> leases) {}
