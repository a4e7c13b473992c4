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
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
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
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.Vectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the ID of every scheme must do: agree with the vectors in both directions, refuse what they refuse, sort as its
 * page says, survive all its forms, JSON and Java serialization, and agree with an encoder that is not ours.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class IdContract<T extends Id & Comparable<T>> {
    private static final int RANDOM_IDS = 2_000;
    private static final JsonMapper JSON = new JsonMapper();

    final Vectors vectors;
    private final IdType<T> type;
    private final Class<T> valueClass;
    private final Function<String, Optional<T>> tryParse;
    private final Function<byte[], T> fromBytes;

    IdContract(
            Class<T> valueClass,
            IdType<T> type,
            Function<String, Optional<T>> tryParse,
            Function<byte[], T> fromBytes) {
        this.vectors = Vectors.of(type.name());
        this.valueClass = valueClass;
        this.type = type;
        this.tryParse = tryParse;
        this.fromBytes = fromBytes;
    }

    /** The ID of these fields, in the order of the type's. */
    abstract T of(String fields);

    T of(Vectors vector) {
        return of(type.fields().stream()
                .map(field -> Long.toString(value(vector, field.name())))
                .collect(Collectors.joining(" ")));
    }

    abstract Instant time(Vectors fields);

    /** Any ID that {@code of} can make. */
    abstract T random(Random random);

    /** The canonical text of {@code id}, encoded by code that is not ours. */
    abstract String encodedElsewhere(T id);

    /**
     * Every way in which parsers and factories refuse: the door, what is given to it, and the exact words. A door is a
     * form, {@code bytes} (their number), {@code bits} (two words in hex) or one of {@link #doors}. Those that take
     * fields begin with {@code of} and {@code with}: what they refuse is no text.
     */
    abstract String refusals();

    /** Other doors than forms, bytes, bits and {@code of}, the fields. */
    Map<String, Function<String, ?>> doors() {
        return Map.of();
    }

    static long field(String fields, int index) {
        return Long.parseLong(fields.split(" ", -1)[index]);
    }

    static int number(String fields, int index) {
        return Math.toIntExact(field(fields, index));
    }

    /** The ways by which programs may sort, the canonical text first, and what order they give. */
    abstract Stream<Sorting<T>> sortings();

    /** What is read back in other ways than the type's forms. */
    abstract List<T> otherwise(T id);

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

    long value(Vectors vector, String field) {
        return vector.number(field);
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

        assertEquals(id, fromBytes.apply(HexFormat.of().parseHex(binary(vector))));
        assertEquals(text(vector), id.toString());
        assertEquals(time(vector), id.time());
        type.fields()
                .forEach(field ->
                        assertEquals(value(vector, field.name()), field.value().applyAsLong(id)));
        assertEquals(Optional.of(id), tryParse.apply(text(vector)));
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void shouldRefuseTextWhenVectorsSayInvalid(Vectors invalid) {
        assertThrows(IdFormatException.class, () -> parseInvalid(invalid));
        assertEquals(parsed(invalid.text("input")), tryParse.apply(invalid.text("input")));
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

        assertThrows(IdFormatException.class, () -> fromBytes.apply(bytes));
    }

    private Optional<T> parsed(String text) {
        try {
            return Optional.of(type.parse().apply(text));
        } catch (IdFormatException e) {
            return Optional.empty();
        }
    }

    @Test
    void shouldSortAsVectorsSayWhenShuffled() {
        Vectors order = vectors.object("order");
        Stream<T> unsorted = order.texts("unsorted").stream().map(type.parse());

        List<String> sorted = unsorted.sorted().map(Id::toString).toList();

        assertEquals(order.texts(sortedField()), sorted);
    }

    Stream<Arguments> refused() {
        return refusals().lines().map(row -> Arguments.of((Object[]) row.split(" +\\| ", 3)));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void shouldSayWhatAndWhereWhenRefusing(String door, String given, String message) {
        String input = given.translateEscapes();

        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> enter(door, input));

        assertEquals(message, refused.getMessage());
        assertEquals(!door.matches("(of|with).*"), refused instanceof IdFormatException);
        if (refused instanceof IdFormatException format) {
            Matcher at = Pattern.compile("at position (\\d+)").matcher(message);
            assertEquals(at.find() ? Integer.parseInt(at.group(1)) : -1, format.position());
        }
    }

    private Object enter(String door, String input) {
        return switch (door) {
            case "bytes" -> fromBytes.apply(new byte[Integer.parseInt(input)]);
            case "of" -> of(input);
            case "bits" -> type.reader().of(word(input, 0), word(input, 1));
            default ->
                doors().containsKey(door)
                        ? doors().get(door).apply(input)
                        : form(door).apply(input);
        };
    }

    private static long word(String bits, int index) {
        return Long.parseUnsignedLong(bits.split(" ", -1)[index], 16);
    }

    private Function<String, T> form(String name) {
        return type.forms().stream()
                .filter(form -> form.name().equals(name))
                .findFirst()
                .orElseThrow()
                .parse();
    }

    /** By this name, and as a static method of one text, Jakarta REST, Spring and MicroProfile Config look for it. */
    @Test
    void shouldReadAndRefuseAsParseDoesWhenAskedForValueOf() throws ReflectiveOperationException {
        Method valueOf = valueClass.getMethod("valueOf", String.class);
        T id = random(new Random(8));

        assertEquals(valueClass, valueOf.getReturnType());
        assertEquals(id, valueOf.invoke(null, id.toString()));
        refused()
                .map(Arguments::get)
                .filter(row -> row[0].equals(IdType.Form.CANONICAL))
                .forEach(row -> {
                    String text = row[1].toString().translateEscapes();
                    InvocationTargetException thrown =
                            assertThrows(InvocationTargetException.class, () -> valueOf.invoke(null, text));
                    IdFormatException refusal = assertInstanceOf(IdFormatException.class, thrown.getCause());
                    assertEquals(row[2], refusal.getMessage());
                });
    }

    @Test
    void shouldComeBackWhenWrittenInAnyForm() {
        randomIds().forEach(id -> {
            type.forms()
                    .forEach(form ->
                            assertEquals(id, form.parse().apply(form.write().apply(id)), form.name()));
            assertEquals(id, type.reader().of(id.high(), id.low()));
            assertEquals(id, fromBytes.apply(id.toBytes()));
            String bytes = HexFormat.of().formatHex(id.toBytes());
            assertEquals(id, type.hex().parse().apply(bytes), "as SQLite and many a program write bytes");
            assertEquals(id, type.hex().parse().apply(bytes.toUpperCase(Locale.ROOT)), "as MySQL's HEX() writes bytes");
            assertEquals(id, type.hex().parse().apply("\\x" + bytes), "as PostgreSQL writes bytes");
            assertEquals(
                    id,
                    type.hex().parse().apply("0x" + bytes.toUpperCase(Locale.ROOT)),
                    "as MySQL clients write bytes");
            otherwise(id).forEach(read -> assertEquals(id, read));
        });
    }

    @Test
    void shouldAgreeWithAnotherEncoderWhenWritingText() {
        randomIds().forEach(id -> {
            assertEquals(encodedElsewhere(id), id.toString());
            assertEquals(type.textLength(), id.toString().length());
            assertTrue(id.toString().matches(type.textPattern()), id::toString);
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

    Stream<Arguments> excluded() {
        return refused()
                .map(Arguments::get)
                .filter(row -> row[0].equals("bits"))
                .map(row -> Arguments.of(row[1], row[2]));
    }

    /** Whatever the bits of serialized data, they are checked: the upper ones come last but the lower ones. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("excluded")
    void shouldRefuseSerializedDataWhenItsBitsAreExcluded(String bits, String message) throws IOException {
        byte[] data = write(random(new Random(7)));
        ByteBuffer.wrap(data, data.length - 16, 16).putLong(word(bits, 0)).putLong(word(bits, 1));

        var refused = assertThrows(InvalidObjectException.class, () -> read(data));

        assertEquals(message, refused.getMessage());
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
