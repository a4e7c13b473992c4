package org.idallocator.dropwizard.api;

import java.util.List;
import org.idallocator.zk.lease.Rotated;

/**
 * What a rotation has done.
 *
 * @param scheme the scheme whose slots were to be changed
 * @param done whether it is known that all of them are changed
 * @param rotated which slot was changed for which
 */
public record RotationReport(String scheme, boolean done, List<Rotated> rotated) {}
