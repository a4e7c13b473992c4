package org.idallocator.bench.soak;

import org.idallocator.bench.process.Vitals;

/**
 * What was seen at the end of one replacement.
 *
 * @param vitals what the replica that stays takes at that moment
 * @param asked how many requests there were since the last sample
 * @param failed how many of them were not answered with 200
 */
record Sample(Vitals vitals, double asked, double failed) {}
