package org.idallocator.core.id;

/** Writes an ID's canonical text, which has a fixed length and is ASCII, into the caller's buffer, without garbage. */
@FunctionalInterface
public interface IdTextWriter {
    /**
     * Fills {@code buffer} from {@code offset} on. The bits are not checked: bits that the scheme excludes give a text
     * that no parser accepts.
     *
     * @throws IndexOutOfBoundsException if the text does not fit; the buffer may then hold a part of it
     */
    void write(long high, long low, byte[] buffer, int offset);
}
