/**
 * One immutable value per scheme: its bits, text forms, parsing, order and time.
 *
 * <p>A value is its bits, right-aligned in 128 ({@link org.idallocator.core.id.Id}). Generators hand bits to an
 * {@link org.idallocator.core.id.IdSink}, and an {@link org.idallocator.core.id.IdTextWriter} writes text into a buffer
 * of the caller. Neither leaves garbage. {@code parse} accepts exactly the canonical text. It refuses all else with an
 * {@link org.idallocator.core.id.IdFormatException} that says what is wrong and where. A number out of its bounds, here
 * or in the settings of a program, is a {@link org.idallocator.core.id.BadValueException}.
 *
 * <p>In all types, {@code parse} throws on the same texts for which {@code tryParse} returns empty. {@code valueOf} is
 * {@code parse} by the name that frameworks look for: so Jakarta REST and Spring take an ID as a parameter of a path or
 * a query, and Spring and MicroProfile Config as a property. To Jackson, values are strings, also as keys of maps;
 * numbers are refused. Java serialization checks a value when it reads one. {@code toLong} and {@code toUuid} are for
 * columns of databases, and the page of each method says how the column sorts:
 *
 * <pre>{@code
 * insert.setObject(1, sno.toUuid());               // UUID, sorted by time
 * insert.setLong(2, uid60.toLong());               // BIGINT, sorted by time
 * insert.setBytes(3, eightByteId.toBytes());       // BINARY(8), spread on purpose
 * insert.setString(4, volumeId.toString());        // CHAR(24), of a binary collation
 * insert.executeUpdate();
 *
 * Sno from = Sno.fromUuid(row.getObject("sno", UUID.class));
 * Uid60 number = Uid60.fromLong(row.getLong("uid60"));
 * Optional<VolumeId> volume = VolumeId.tryParse(row.getString("volume"));
 * }</pre>
 */
@NullMarked
package org.idallocator.core.id;

import org.jspecify.annotations.NullMarked;
