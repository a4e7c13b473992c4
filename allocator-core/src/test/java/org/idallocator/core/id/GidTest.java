package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.codec.binary.Base58;
import org.idallocator.core.id.Conformance.Fields;
import org.idallocator.core.id.Conformance.Invalid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class GidTest extends IdContract<Gid> {
    GidTest() {
        super(Gid.class, Gid.TYPE, Gid::tryParse, Gid::fromBytes);
    }

    @Override
    Gid read(Invalid invalid) {
        return invalid.type() == null
                ? super.read(invalid)
                : Gid.parse(invalid.text(), GidType.valueOf(invalid.type().toUpperCase(Locale.ROOT)));
    }

    @Override
    Gid of(Fields fields) {
        GidType type = Arrays.stream(GidType.values())
                .filter(each -> each.prefix() == fields.integer("prefix"))
                .findFirst()
                .orElseThrow();
        return Gid.of(type, fields.get("timestamp_ms"), fields.get("random"));
    }

    @Override
    Stream<Sorting<Gid>> sortings() {
        return Stream.of(new Sorting<>("UUID's bytes", Uuids.unsigned(Gid::toUuid), true, false));
    }

    @Override
    Gid random(Random random) {
        GidType[] types = GidType.values();
        return Gid.of(types[random.nextInt(types.length)], random.nextLong() >>> 16, random.nextLong());
    }

    @Override
    String encodedElsewhere(Gid id) {
        Base58 base58 = new Base58();
        byte[] bytes = id.toBytes();
        return base58.encodeAsString(Arrays.copyOf(bytes, 7))
                + "-"
                + base58.encodeAsString(Arrays.copyOfRange(bytes, 7, 16));
    }

    @Override
    List<Gid> otherwise(Gid id) {
        return List.of(Gid.parse(id.toString(), id.type()), Gid.fromUuid(id.toUuid()));
    }

    @Override
    String refusals() {
        return """
                bits | 8100000000000080 0 | gid prefix must be 80, a0 or c0: 81
                bits | 80 0 | gid prefix must be 80, a0 or c0: 00
                bits | 800000000000007f ffffffffffffffff | gid second prefix must be 80..ff: 7f
                """;
    }

    @Test
    void shouldHaveTheTypesOfTheFile() {
        assertEquals(
                file.types(),
                Arrays.stream(GidType.values()).collect(Collectors.toMap(GidType::toString, GidType::prefix)));
    }

    @Test
    void shouldComeBackWhenSecondPrefixIsAnyWithTopBitSet() {
        Random random = new Random(6);
        for (int secondPrefix = 0x80; secondPrefix <= 0xff; secondPrefix++) {
            Gid id = Gid.ofBits(0xa001_0203_0405_0600L | secondPrefix, random.nextLong());
            assertEquals(encodedElsewhere(id), id.toString());
            assertEquals(id, Gid.parse(id.toString()));
            assertEquals(secondPrefix, id.secondPrefix());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRepeatPrefixWhenBuilt(GidType type) {
        Gid id = Gid.of(type, 1, 2);

        assertEquals(type.prefix(), id.prefix());
        assertEquals(type.prefix(), id.secondPrefix());
        assertEquals(type, id.type());
    }
}
