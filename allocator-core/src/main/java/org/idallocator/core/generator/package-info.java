/**
 * Generators: one class that takes time and sequence in one compare-and-set, a small file per scheme around it, and the
 * layer that waits for callers. Two classes keep the IDs of a tenure apart: {@code TickSequence} hands out each number
 * once, and {@code Line} gives each number that it shares to one of the callers who stand in line.
 *
 * <p>Programs draw from an {@link org.idallocator.core.generator.IdGenerator}, and adapters find those of a program by
 * {@link org.idallocator.core.generator.IdGenerators}. For particular needs there are
 * {@link org.idallocator.core.generator.IdsAfter}, {@link org.idallocator.core.generator.MuidTransaction},
 * {@link org.idallocator.core.generator.OverflowListener}, {@link org.idallocator.core.generator.SnoGenerator#snapshot}
 * and {@link org.idallocator.core.generator.SnoPorter}.
 */
@NullMarked
package org.idallocator.core.generator;

import org.jspecify.annotations.NullMarked;
