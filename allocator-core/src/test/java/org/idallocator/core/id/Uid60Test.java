package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.idallocator.core.id.Conformance.Fields;
import org.idallocator.core.id.Conformance.Valid;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class Uid60Test extends IdContract<Uid60> {
    Uid60Test() {
        super(Uid60.class, Uid60.TYPE, Uid60::tryParse, Uid60::fromBytes);
    }

    @Override
    Uid60 of(Fields fields) {
        return Uid60.of(
                fields.get("timestamp_s"),
                fields.integer("worker"),
                fields.integer("sequence"),
                fields.integer("random"));
    }

    @Override
    Stream<Sorting<Uid60>> sortings() {
        return Stream.of(Sorting.by("long", Uid60::toLong, true, true));
    }

    @Override
    Uid60 random(Random random) {
        return new Uid60(0, random.nextLong() >>> 4);
    }

    /** The rule taken literally, on a string of bits: 32 reversed, then 28. Four more zeros fill up the bytes. */
    @Override
    String encodedElsewhere(Uid60 id) {
        String bits = Long.toBinaryString(1L << 60 | id.toLong()).substring(1);
        String shown = new StringBuilder(bits.substring(0, 32)).reverse() + bits.substring(32) + "0000";
        byte[] bytes =
                ByteBuffer.allocate(8).putLong(Long.parseUnsignedLong(shown, 2)).array();
        return Base64.getUrlEncoder().encodeToString(bytes).substring(0, 10);
    }

    @Override
    List<Uid60> otherwise(Uid60 id) {
        return List.of(Uid60.parseHex("0x" + id.toHex().toUpperCase(Locale.ROOT)), Uid60.fromLong(id.toLong()));
    }

    @Override
    String refusals() {
        return """
                bits | 0 1000000000000000 | uid60 must be of 60 bits: 00000000000000001000000000000000
                bits | 0 8000000000000000 | uid60 must be of 60 bits: 00000000000000008000000000000000
                bits | 1 0 | uid60 must be of 60 bits: 00000000000000010000000000000000
                """;
    }

    @ParameterizedTest
    @MethodSource("valid")
    void shouldBeItsDecimalWhenLong(Valid valid) {
        Uid60 id = of(valid.fields());

        assertEquals(Long.parseLong(valid.text("decimal")), id.toLong());
        assertEquals(id, Uid60.fromLong(id.toLong()));
    }
}
