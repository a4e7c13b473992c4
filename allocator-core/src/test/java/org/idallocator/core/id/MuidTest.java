package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.idallocator.core.id.Conformance.Fields;
import org.idallocator.core.id.Conformance.Valid;
import org.idallocator.core.id.IdType.Form;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class MuidTest extends IdContract<Muid> {
    private static final long MEDALLION = 417_399_343_184_351L;

    MuidTest() {
        super(Muid.class, Muid.TYPE, Muid::tryParse, Muid::fromBytes);
    }

    @Override
    Muid of(Fields fields) {
        return Muid.of(fields.get("timestamp_us"), fields.get("medallion"), fields.integer("offset"));
    }

    @Override
    Stream<Sorting<Muid>> sortings() {
        return Stream.of(
                new Sorting<>("UUID's bytes", Uuids.unsigned(Muid::toUuid), true, true),
                Sorting.by("UUID", Muid::toUuid, false, false));
    }

    @Override
    Muid random(Random random) {
        return Muid.of(random.nextLong() >>> 8, 1L << 48 | random.nextLong() >>> 16, random.nextInt() >>> 12);
    }

    @Override
    String encodedElsewhere(Muid id) {
        return HexFormat.of().withUpperCase().formatHex(id.toBytes());
    }

    @Override
    List<Muid> otherwise(Muid id) {
        return List.of(
                Muid.fromUuid(id.toUuid()), Muid.parseHex(id.toUuid().toString().replace("-", "")));
    }

    @ParameterizedTest
    @MethodSource("valid")
    void shouldTellApartWhenMedallionIsNotOfVersion1(Valid valid) {
        assertEquals(valid.decodeOnly(), !Muid.parse(valid.text(Form.CANONICAL)).isVersion1());
    }

    @Test
    void shouldKeepTransactionTogetherWhenSorted() {
        Muid transaction = Muid.of(7, MEDALLION, 0);
        Muid last = Muid.of(7, MEDALLION, Muid.MAX_OFFSET);

        assertTrue(Muid.of(7, MEDALLION - 1, Muid.MAX_OFFSET).compareTo(transaction) < 0);
        assertTrue(transaction.compareTo(last) < 0);
        assertTrue(last.compareTo(Muid.of(7, MEDALLION + 1, 0)) < 0);
    }

    @Test
    void shouldDesignateTransactionWhenOffsetIsZero() {
        Muid object = Muid.of(1, MEDALLION, 0xfffff);
        Muid transaction = Muid.of(1, MEDALLION, 0);

        assertFalse(object.isTransaction());
        assertEquals(transaction, object.transaction());
        assertTrue(transaction.isTransaction());
        assertSame(transaction, transaction.transaction());
    }
}
