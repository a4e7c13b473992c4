/**
 * One immutable value per scheme: its bits, text forms, parsing, order and time.
 *
 * <p>A value is its bits, right-aligned in 128 ({@link org.idallocator.core.id.Id}). Generators hand bits to an {@link
 * org.idallocator.core.id.IdSink} and text goes into a buffer of the caller through an {@link
 * org.idallocator.core.id.IdTextWriter}, so that neither leaves garbage. Parsers are strict: they accept exactly what
 * the writers write, and say otherwise with an {@link org.idallocator.core.id.IdFormatException} that tells where.
 *
 * <p>All types alike: {@code parse} throws where {@code tryParse} returns empty, on the same texts. Values are strings
 * to Jackson, also as the keys of maps; numbers are refused. Serialized by Java they are checked when read. {@code
 * toLong} and {@code toUuid} are for columns of databases, and say how such a column sorts.
 */
@NullMarked
package org.idallocator.core.id;

import org.jspecify.annotations.NullMarked;
