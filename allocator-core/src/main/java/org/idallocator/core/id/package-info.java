/**
 * One immutable value per scheme: its bits, text forms, parsing, order and time.
 *
 * <p>A value is its bits, right-aligned in 128 ({@link org.idallocator.core.id.Id}). Generators hand bits to an {@link
 * org.idallocator.core.id.IdSink} and text goes into a buffer of the caller through an {@link
 * org.idallocator.core.id.IdTextWriter}, so that neither leaves garbage. Parsers are strict: they accept exactly what
 * the writers write, and say otherwise with an {@link org.idallocator.core.id.IdFormatException} that tells where.
 */
@NullMarked
package org.idallocator.core.id;

import org.jspecify.annotations.NullMarked;
