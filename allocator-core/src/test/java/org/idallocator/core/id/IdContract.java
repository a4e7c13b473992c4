package org.idallocator.core.id;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every scheme's ID must do: agree with the vectors both ways, refuse what they refuse, sort, go through all its
 * forms and back, and agree with an encoder that is not ours.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class IdContract<T extends IdBits<T>> {
    private static final int RANDOM_IDS = 2_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    final Vectors vectors;
    private final IdType<T> type;
    private final Class<T> valueClass;

    IdContract(String scheme, Class<T> valueClass, IdType<T> type) {
        this.vectors = Vectors.of(scheme);
        this.valueClass = valueClass;
        this.type = type;
    }

    /** The ID of a vector's component fields. */
    abstract T of(Vectors fields);

    /** What {@code id} says, under the vectors' names: numbers, or strings where the vectors write hex. */
    abstract Map<String, Object> fields(T id);

    abstract Instant time(Vectors fields);

    abstract T fromBytes(byte[] bytes);

    /** Any ID that {@code of} can make. */
    abstract T random(Random random);

    /** The canonical text of {@code id}, encoded by another's code. */
    abstract String encodedElsewhere(T id);

    /** Every way in which parsers and builders refuse, with the exact error. */
    abstract Stream<Refusal> refusals();

    /** The forms besides the canonical text, each written and read back. */
    abstract List<T> throughForms(T id);

    Stream<Vectors> vectors() {
        return vectors.objects("vectors");
    }

    /** IDs that must be read, though {@code of} does not make them. */
    Stream<Vectors> decodeOnly() {
        return Stream.empty();
    }

    final Stream<Vectors> readable() {
        return Stream.concat(vectors(), decodeOnly());
    }

    Stream<Vectors> invalid() {
        return vectors.objects("invalid");
    }

    Stream<Vectors> invalidFields() {
        return vectors.objects("invalid_fields");
    }

    Stream<Vectors> invalidBinary() {
        return vectors.objects("invalid_binary");
    }

    String text(Vectors fields) {
        return fields.text("string");
    }

    String binary(Vectors fields) {
        return fields.text("binary");
    }

    String sortedField() {
        return "sorted";
    }

    T parseInvalid(Vectors invalid) {
        return type.parse().apply(invalid.text("input"));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldWriteVectorWhenBuiltOfItsFields(Vectors vector) {
        T id = of(vector);

        assertEquals(text(vector), id.toString());
        assertEquals(binary(vector), HexFormat.of().formatHex(id.toBytes()));
        assertEquals(time(vector), id.time());
    }

    @ParameterizedTest
    @MethodSource("readable")
    void shouldReadFieldsWhenGivenTextOrBytes(Vectors vector) {
        T id = type.parse().apply(text(vector));

        assertEquals(id, fromBytes(HexFormat.of().parseHex(binary(vector))));
        assertEquals(text(vector), id.toString());
        assertEquals(time(vector), id.time());
        fields(id).forEach((name, value) -> assertEquals(in(vector, name, value), value, name));
    }

    /** The vector's value, in the notation of ours. */
    private static Object in(Vectors vector, String name, Object ours) {
        if (ours instanceof String) {
            return vector.text(name);
        }
        return ours instanceof Integer ? (Object) vector.integer(name) : (Object) vector.number(name);
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void shouldRefuseTextWhenVectorsSayInvalid(Vectors invalid) {
        assertThrows(IdFormatException.class, () -> parseInvalid(invalid));
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("invalidFields")
    void shouldRefuseFieldsWhenVectorsSayInvalid(Vectors invalid) {
        assertThrows(IllegalArgumentException.class, () -> of(invalid));
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("invalidBinary")
    void shouldRefuseBytesWhenVectorsSayInvalid(Vectors invalid) {
        byte[] bytes = HexFormat.of().parseHex(invalid.text("input"));

        assertThrows(IdFormatException.class, () -> fromBytes(bytes));
    }

    @Test
    void shouldSortAsVectorsSayWhenShuffled() {
        Vectors order = vectors.object("order");
        Stream<T> unsorted = order.texts("unsorted").stream().map(type.parse());

        List<String> sorted = unsorted.sorted().map(Id::toString).toList();

        assertEquals(order.texts(sortedField()), sorted);
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void shouldSayWhatAndWhereWhenRefusing(Refusal refusal) {
        refusal.check();
    }

    @Test
    void shouldComeBackWhenWrittenInAnyForm() {
        randomIds().forEach(id -> {
            assertEquals(id, type.parse().apply(id.toString()));
            assertEquals(id, type.parseHex().apply(type.toHex().apply(id)));
            assertEquals(id, type.reader().of(id.high(), id.low()));
            assertEquals(id, fromBytes(id.toBytes()));
            throughForms(id).forEach(read -> assertEquals(id, read));
        });
    }

    @Test
    void shouldAgreeWithAnotherEncoderWhenWritingText() {
        randomIds().forEach(id -> {
            assertEquals(encodedElsewhere(id), id.toString());
            assertEquals(type.textLength(), id.toString().length());
            assertEquals(type.bytes(), id.toBytes().length);
        });
    }

    @Test
    void shouldWriteOnlyItsTextWhenGivenLargerBuffer() {
        T id = random(new Random(1));
        byte[] buffer = "#".repeat(type.textLength() + 5).getBytes(US_ASCII);

        type.textWriter().write(id.high(), id.low(), buffer, 2);

        assertEquals("##" + id + "###", new String(buffer, US_ASCII));
    }

    @Test
    void shouldOrderByUnsignedBytesWhenCompared() {
        List<T> ids = randomIds().toList();
        for (int i = 1; i < ids.size(); i++) {
            T left = ids.get(i - 1);
            T right = ids.get(i);
            int expected = Arrays.compareUnsigned(left.toBytes(), right.toBytes());
            assertEquals(Integer.signum(expected), Integer.signum(left.compareTo(right)));
        }
    }

    @Test
    void shouldBeEqualWhenTypeAndBitsAre() {
        T id = random(new Random(2));
        T same = type.reader().of(id.high(), id.low());

        assertEquals(id, same);
        assertEquals(id.hashCode(), same.hashCode());
        assertEquals(0, id.compareTo(same));
        assertNotEquals(id, random(new Random(3)));
        assertFalse(id.equals(id.toString()));
    }

    @Test
    void shouldReturnNewArrayWhenAskedForBytes() {
        T id = random(new Random(4));
        byte[] before = id.toBytes();

        Arrays.fill(id.toBytes(), (byte) 0);

        assertArrayEquals(before, id.toBytes());
    }

    @Test
    void shouldBeStringWhenInJson() throws JsonProcessingException {
        T id = random(new Random(5));

        assertEquals("\"" + id + "\"", JSON.writeValueAsString(id));
        assertEquals(id, JSON.readValue("\"" + id + "\"", valueClass));
    }

    @Test
    void shouldBeKeyWhenInJson() throws JsonProcessingException {
        Map<T, Integer> map = Map.of(random(new Random(6)), 1);
        String json = JSON.writeValueAsString(map);

        assertEquals(
                map,
                JSON.readValue(json, JSON.getTypeFactory().constructMapType(Map.class, valueClass, Integer.class)));
        assertEquals("{\"" + map.keySet().iterator().next() + "\":1}", json);
    }

    @Test
    void shouldCarryTheErrorWhenJsonStringIsInvalid() {
        var failure = assertThrows(ValueInstantiationException.class, () -> JSON.readValue("\"\"", valueClass));

        assertInstanceOf(IdFormatException.class, failure.getCause());
    }

    private Stream<T> randomIds() {
        Random random = new Random(42);
        return IntStream.range(0, RANDOM_IDS).mapToObj(i -> random(random));
    }
}
