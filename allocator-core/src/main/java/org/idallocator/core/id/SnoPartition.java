package org.idallocator.core.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;

/**
 * The partition of a {@link Sno}, given as a number or as two bytes: {@code ofBytes('A', 10)} equals {@code of(16650)}.
 * Immutable. Throws {@link IllegalArgumentException} for others. Jackson reads both, and writes {@code [65, 10]}.
 *
 * @param number 0..65535; the first byte is the more significant one
 */
public record SnoPartition(int number) {
    private static final int BYTE_BITS = 8;
    private static final int MAX_BYTE = (1 << BYTE_BITS) - 1;

    public SnoPartition {
        Bounds.require("partition", number, Sno.MAX_PARTITION);
    }

    /** The partition of a number, 0..65535. */
    public static SnoPartition of(int number) {
        return new SnoPartition(number);
    }

    /** The partition of two bytes, each 0..255; convert a Java {@code byte} with {@link Byte#toUnsignedInt}. */
    public static SnoPartition ofBytes(int first, int second) {
        long upper = Bounds.require("first", first, MAX_BYTE);
        return new SnoPartition((int) (upper << BYTE_BITS | Bounds.require("second", second, MAX_BYTE)));
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static SnoPartition read(Object json) {
        if (json instanceof Integer number) {
            return of(number);
        }
        if (json instanceof List<?> bytes
                && bytes.size() == 2
                && bytes.get(0) instanceof Integer first
                && bytes.get(1) instanceof Integer second) {
            return ofBytes(first, second);
        }
        throw new BadValueException("partition", "must be two bytes, [0..255, 0..255], or 0..65535: " + json);
    }

    @JsonValue
    List<Integer> json() {
        return List.of(first(), second());
    }

    /** The more significant byte, 0..255. */
    public int first() {
        return number >>> BYTE_BITS;
    }

    /** The less significant byte, 0..255. */
    public int second() {
        return number & MAX_BYTE;
    }

    /** A new array of {@link #first} and {@link #second}. */
    public byte[] toBytes() {
        return new byte[] {(byte) first(), (byte) second()};
    }
}
