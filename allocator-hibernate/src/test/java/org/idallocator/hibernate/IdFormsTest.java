package org.idallocator.hibernate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.hibernate.type.SqlTypes;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdFormatException;
import org.idallocator.core.id.LogId;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.id.VolumeId;
import org.idallocator.core.testing.TestIds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class IdFormsTest {
    private static final Sno SNO = Sno.parse("9q7qmwq2222dhi22");

    private final IdGenerators ids = TestIds.all();

    static List<IdForms<?>> all() {
        return IdForms.ALL;
    }

    private static <T extends Id> IdForms<T> forms(Class<T> type) {
        @SuppressWarnings("unchecked") // find says so
        IdForms<T> found = (IdForms<T>) IdForms.find(type).orElseThrow();
        return found;
    }

    /** What none draws is no type to be asked for. */
    @Test
    void shouldHaveEveryTypeThatIsDrawn() {
        String refusal = String.valueOf(assertThrows(IllegalArgumentException.class, () -> ids.of(Id.class))
                .getMessage());

        String names =
                all().stream().map(each -> each.type().getSimpleName()).sorted().collect(Collectors.joining(", "));
        assertTrue(refusal.endsWith("those drawn are " + names), refusal);
    }

    @ParameterizedTest
    @MethodSource("all")
    <T extends Id> void shouldReadWhatItWrites(IdForms<T> forms) {
        T id = ids.of(forms.type()).next();

        assertEquals(3, forms.forms().size());
        for (IdForms.Form<T, ?> form : forms.forms()) {
            assertEquals(
                    id, forms.read(forms.write(id, form.type())), form.type().getName());
            assertTrue(forms.fit(form.type()));
        }
        assertEquals(id, forms.read(id));
        assertEquals(id, forms.write(id, forms.type()));
        assertEquals(id, forms.write(id, Object.class), "what is above it");
        assertEquals(forms.bytes(), forms.write(id, byte[].class).length);
        assertEquals(forms.textLength(), forms.write(id, String.class).length());
    }

    @Test
    void shouldWriteWhatTheIdItselfGives() {
        Uid60 uid60 = Uid60.parse("X-pWCABHvy");

        assertArrayEquals(SNO.toBytes(), forms(Sno.class).write(SNO, byte[].class));
        assertEquals(SNO.toUuid(), forms(Sno.class).write(SNO, UUID.class));
        assertEquals(uid60.toLong(), forms(Uid60.class).write(uid60, Long.class));
    }

    @Test
    void shouldRefuseAFormThatTheTypeDoesNotHave() {
        IllegalArgumentException written = assertThrows(
                IllegalArgumentException.class, () -> forms(Sno.class).write(SNO, Long.class));
        IllegalArgumentException read = assertThrows(
                IllegalArgumentException.class, () -> forms(Uid60.class).read(UUID.randomUUID()));

        assertEquals("Sno is kept as Sno, byte[], String, UUID, not as java.lang.Long", written.getMessage());
        assertEquals("Uid60 is kept as Uid60, byte[], String, Long, not as java.util.UUID", read.getMessage());
    }

    @Test
    void shouldRefuseWhatIsNoIdOfTheType() {
        VolumeId volume = ids.of(VolumeId.class).next();

        assertThrows(IdFormatException.class, () -> forms(Sno.class).read(new byte[9]));
        assertThrows(IdFormatException.class, () -> forms(LogId.class).read(volume.toBytes()));
        assertEquals(volume, forms(Gid.class).read(volume.toBytes()));
    }

    @Test
    void shouldFitAnAttributeOfItsOwnTypeAndGidAllOfItsThree() {
        assertEquals(
                List.of(true, true, false, false, false),
                List.of(
                        forms(LogId.class).fit(LogId.class),
                        forms(LogId.class).fit(Gid.class),
                        forms(Gid.class).fit(LogId.class),
                        forms(LogId.class).fit(Id.class),
                        forms(Uid60.class).fit(long.class)));
    }

    @Test
    void shouldBeNumbersInColumnsWhereTheyAreOfALong() {
        List<Integer> columns = all().stream().map(IdForms::column).toList();

        int bytes = SqlTypes.VARBINARY;
        int number = SqlTypes.BIGINT;
        assertEquals(List.of(bytes, bytes, number, number, bytes, bytes, bytes, bytes), columns);
    }
}
