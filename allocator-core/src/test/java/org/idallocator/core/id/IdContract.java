package org.idallocator.core.id;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the ID of every scheme must do: agree with the vectors in both directions, refuse what they refuse, sort as its page
 * says, survive all its forms, JSON and Java serialization, and agree with an encoder that is not ours.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class IdContract<T extends Id & Comparable<T>> {
    private static final int RANDOM_IDS = 2_000;
    private static final JsonMapper JSON = new JsonMapper();

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

    /** The fields of {@code id} under the names of the vectors: numbers, or strings where the vectors write hex. */
    abstract Map<String, Object> fields(T id);

    abstract Instant time(Vectors fields);

    abstract Optional<T> tryParse(String text);

    abstract T fromBytes(byte[] bytes);

    /** Any ID that {@code of} can make. */
    abstract T random(Random random);

    /** The canonical text of {@code id}, encoded by code that is not ours. */
    abstract String encodedElsewhere(T id);

    /** Every way in which parsers and factories refuse, with the exact error. */
    abstract Stream<Refusal> refusals();

    /** The ways by which programs may sort, the canonical text first, and what order they give. */
    abstract Stream<Sorting<T>> sortings();

    /** Bits that are no ID, with the exact error. */
    abstract Stream<Excluded> excluded();

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

    /** The vector's value in our notation. */
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

    @ParameterizedTest
    @MethodSource("readable")
    void shouldBePresentWhenTriedWithText(Vectors vector) {
        assertEquals(Optional.of(type.parse().apply(text(vector))), tryParse(text(vector)));
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void shouldBeEmptyWhenTriedWithWhatParseRefuses(Vectors invalid) {
        String text = invalid.text("input");

        assertEquals(parsed(text), tryParse(text));
    }

    private Optional<T> parsed(String text) {
        try {
            return Optional.of(type.parse().apply(text));
        } catch (IdFormatException e) {
            return Optional.empty();
        }
    }

    @Test
    void shouldBeEmptyWhenTriedWithNoCharacters() {
        assertEquals(Optional.empty(), tryParse(""));
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
            assertEquals(id, type.hex().parse().apply(type.hex().write().apply(id)));
            assertEquals(id, type.reader().of(id.high(), id.low()));
            assertEquals(id, fromBytes(id.toBytes()));
            String bytes = HexFormat.of().formatHex(id.toBytes());
            assertEquals(id, type.hex().parse().apply(bytes), "as SQLite and many a program write bytes");
            assertEquals(id, type.hex().parse().apply(bytes.toUpperCase(Locale.ROOT)), "as MySQL's HEX() writes bytes");
            assertEquals(id, type.hex().parse().apply("\\x" + bytes), "as PostgreSQL writes bytes");
            assertEquals(
                    id,
                    type.hex().parse().apply("0x" + bytes.toUpperCase(Locale.ROOT)),
                    "as MySQL clients write bytes");
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

    @ParameterizedTest
    @MethodSource("sortings")
    void shouldSortAsItsPageSays(Sorting<T> sorting) {
        assertEquals(sorting.asIds(), agrees(sorting.order(), Comparator.naturalOrder()), "as IDs");
        assertEquals(sorting.byTime(), agrees(sorting.order(), Comparator.comparing(Id::time)), "by time");
    }

    /** Whether {@code order} never contradicts {@code other}, which may take different IDs for equal. */
    private boolean agrees(Comparator<T> order, Comparator<T> other) {
        List<T> ids = randomIds().toList();
        return IntStream.range(1, ids.size()).allMatch(i -> {
            int expected = Integer.signum(other.compare(ids.get(i - 1), ids.get(i)));
            return expected == 0 || expected == Integer.signum(order.compare(ids.get(i - 1), ids.get(i)));
        });
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
    void shouldBeStringsWhenInJson() throws JsonProcessingException {
        T id = random(new Random(5));
        Held<T> held = new Held<>(id, List.of(id), Map.of(id, 1));

        String json = JSON.writeValueAsString(held);

        assertEquals(
                "{'id':'%1$s','list':['%1$s'],'map':{'%1$s':1}}".formatted(id).replace('\'', '"'), json);
        assertEquals(held, JSON.readValue(json, heldType()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'id':'?'}", "{'list':['?']}", "{'map':{'?':1}}"})
    void shouldSayWhatIsWrongWhenJsonHoldsNoId(String json) {
        String expected = assertThrows(
                        IdFormatException.class, () -> type.parse().apply("?"))
                .getMessage();

        var refused =
                assertThrows(JsonMappingException.class, () -> JSON.readValue(json.replace('\'', '"'), heldType()));

        assertTrue(refused.getOriginalMessage().contains(expected), refused.getOriginalMessage());
    }

    /** As many digits as the text has characters would be the text of an ID in some types. */
    @Test
    void shouldRefuseWhenJsonIsNoString() {
        String digits = "1234567890".repeat(4).substring(0, type.textLength());
        for (String json : List.of(digits, "1", "1.5", "true", "{}", "[]")) {
            assertThrows(JsonMappingException.class, () -> JSON.readValue("{\"id\":" + json + "}", heldType()), json);
        }
    }

    private JavaType heldType() {
        return JSON.getTypeFactory().constructParametricType(Held.class, valueClass);
    }

    /** An ID in every place where JSON may have one. */
    private record Held<T>(T id, List<T> list, Map<T, Integer> map) {}

    @Test
    void shouldComeBackWhenSerialized() {
        randomIds().limit(50).forEach(id -> assertEquals(id, assertDoesNotThrow(() -> read(write(id)))));
    }

    @Test
    void shouldBeCompactWhenSerialized() throws IOException {
        List<T> ids = randomIds().limit(101).toList();

        int first = write(ids.get(0)).length;
        int hundred = write(ids.toArray()).length - write(new Object[] {ids.get(0)}).length;

        assertTrue(first <= 128, () -> "one: " + first);
        assertTrue(hundred <= 100 * 24, () -> "a hundred more: " + hundred);
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("excluded")
    void shouldRefuseBitsWhenExcluded(Excluded excluded) {
        var refused = assertThrows(IdFormatException.class, () -> type.reader().of(excluded.high(), excluded.low()));

        assertEquals(excluded.message(), refused.getMessage());
    }

    /** Whatever the bits of serialized data, they are checked: the upper ones come last but the lower ones. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("excluded")
    void shouldRefuseSerializedDataWhenItsBitsAreExcluded(Excluded excluded) throws IOException {
        byte[] data = write(random(new Random(7)));
        ByteBuffer.wrap(data, data.length - 16, 16).putLong(excluded.high()).putLong(excluded.low());

        var refused = assertThrows(InvalidObjectException.class, () -> read(data));

        assertEquals(excluded.message(), refused.getMessage());
        assertInstanceOf(IdFormatException.class, refused.getCause());
    }

    private static byte[] write(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    private static Object read(byte[] data) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(data))) {
            return in.readObject();
        }
    }

    private Stream<T> randomIds() {
        Random random = new Random(42);
        return IntStream.range(0, RANDOM_IDS).mapToObj(i -> random(random));
    }
}
