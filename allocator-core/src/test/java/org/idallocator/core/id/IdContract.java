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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.id.Conformance.AlsoRead;
import org.idallocator.core.id.Conformance.Fields;
import org.idallocator.core.id.Conformance.Invalid;
import org.idallocator.core.id.Conformance.InvalidBytes;
import org.idallocator.core.id.Conformance.InvalidFields;
import org.idallocator.core.id.Conformance.Otherwise;
import org.idallocator.core.id.Conformance.Valid;
import org.idallocator.core.id.IdType.Field;
import org.idallocator.core.id.IdType.Form;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the ID of every scheme must do: agree with its conformance file in both directions, refuse what that refuses,
 * sort as it and the page of the type say, survive all its forms, JSON and Java serialization, and agree with an
 * encoder that is not ours.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class IdContract<T extends Id & Comparable<T>> {
    private static final int RANDOM_IDS = 2_000;
    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern POSITION = Pattern.compile("at position (\\d+)");

    /** What the file calls time, beside the forms, where it says what sorts. */
    private static final String TIME = "time";

    /** The same of the bits as a signed number. */
    private static final String SIGNED = "signed";

    final Conformance file;
    private final IdType<T> type;
    private final Class<T> valueClass;
    private final Function<String, Optional<T>> tryParse;
    private final Function<byte[], T> fromBytes;

    IdContract(
            Class<T> valueClass,
            IdType<T> type,
            Function<String, Optional<T>> tryParse,
            Function<byte[], T> fromBytes) {
        this.file = Conformance.of(type.name());
        this.valueClass = valueClass;
        this.type = type;
        this.tryParse = tryParse;
        this.fromBytes = fromBytes;
    }

    /** The ID that is made of these fields. */
    abstract T of(Fields fields);

    /** Any ID that {@code of} can make. */
    abstract T random(Random random);

    /** The canonical text of {@code id}, encoded by code that is not ours. */
    abstract String encodedElsewhere(T id);

    /**
     * In what other ways than the file's IDs are refused: the door, what is given to it, and the exact words. A door is
     * {@code bits} (two words in hex) or one of {@link #doors}. What is refused by those that begin with {@code of} and
     * {@code with} is no text.
     */
    String refusals() {
        return "";
    }

    /** Other doors than bits. */
    Map<String, Function<String, ?>> doors() {
        return Map.of();
    }

    /** The other ways than forms by which programs may sort, and what order they give. */
    abstract Stream<Sorting<T>> sortings();

    /** What is read back in other ways than the type's forms. */
    abstract List<T> otherwise(T id);

    Stream<Valid> valid() {
        return file.valid().stream();
    }

    Stream<Valid> made() {
        return valid().filter(valid -> !valid.decodeOnly());
    }

    Stream<AlsoRead> alsoRead() {
        return file.alsoRead().stream();
    }

    Stream<Invalid> invalid() {
        return file.invalid().stream();
    }

    Stream<InvalidBytes> invalidBytes() {
        return file.invalidBytes().stream();
    }

    Stream<InvalidFields> invalidFields() {
        return file.invalidFields().stream();
    }

    /** The ID of a text that is none. */
    T read(Invalid invalid) {
        return form(invalid.form()).parse().apply(invalid.text());
    }

    @Test
    void shouldHaveAFileOfItsOwnWithEachListFilled() {
        assertEquals(type.name(), file.scheme());
        for (List<?> list : List.of(
                file.valid(),
                file.alsoRead(),
                file.invalid(),
                file.invalidBytes(),
                file.invalidFields(),
                file.order().sorted(),
                file.order().alike())) {
            assertFalse(list.isEmpty());
        }
    }

    @ParameterizedTest
    @MethodSource("made")
    void shouldWriteWhatTheFileSaysWhenBuiltOfFields(Valid valid) {
        assertIs(valid, of(valid.fields()));
    }

    @ParameterizedTest
    @MethodSource("valid")
    void shouldReadWhatTheFileSaysWhenGivenBytesOrAnyForm(Valid valid) {
        assertIs(valid, fromBytes.apply(HexFormat.of().parseHex(valid.bytes())));
        type.forms().forEach(form -> assertIs(valid, form.parse().apply(valid.text(form.name()))));
        assertIs(valid, tryParse.apply(valid.text(Form.CANONICAL)).orElseThrow());
    }

    private void assertIs(Valid valid, T id) {
        assertEquals(valid.bytes(), HexFormat.of().formatHex(id.toBytes()));
        assertEquals(
                type.fields().stream().map(Field::name).toList(), valid.fields().names());
        type.fields()
                .forEach(field -> assertEquals(
                        valid.fields().get(field.name()), field.value().applyAsLong(id), field.name()));
        assertEquals(valid.time(), id.time());
        assertEquals(
                type.forms().stream().map(Form::name).toList(),
                List.copyOf(valid.forms().keySet()));
        type.forms()
                .forEach(form ->
                        assertEquals(valid.text(form.name()), form.write().apply(id), form.name()));
    }

    @ParameterizedTest
    @MethodSource("alsoRead")
    void shouldReadOtherTextsThanItWritesWhenTheFileSaysSo(AlsoRead also) {
        T id = form(also.form()).parse().apply(also.text());

        assertEquals(also.canonical(), id.toString());
        assertNotEquals(also.text(), form(also.form()).write().apply(id));
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void shouldRefuseTextForItsReasonWhenTheFileSaysInvalid(Invalid invalid) {
        assertRefused(invalid.reason(), () -> read(invalid));
        assertEquals(parsed(invalid.text()), tryParse.apply(invalid.text()));
    }

    @ParameterizedTest
    @MethodSource("invalidBytes")
    void shouldRefuseBytesForTheirReasonWhenTheFileSaysInvalid(InvalidBytes invalid) {
        byte[] bytes = HexFormat.of().parseHex(invalid.bytes());

        assertRefused(invalid.reason(), () -> fromBytes.apply(bytes));
    }

    @ParameterizedTest
    @MethodSource("invalidFields")
    void shouldRefuseFieldsForTheirReasonWhenTheFileSaysInvalid(InvalidFields invalid) {
        BadValueException refused = assertThrows(BadValueException.class, () -> of(invalid.fields()));

        assertEquals(invalid.reason(), refused.getMessage());
    }

    private static void assertRefused(String reason, Executable reading) {
        IdFormatException refused = assertThrows(IdFormatException.class, reading);

        assertEquals(reason, refused.getMessage());
        assertEquals(position(reason), refused.position());
    }

    private static int position(String reason) {
        Matcher at = POSITION.matcher(reason);
        return at.find() ? Integer.parseInt(at.group(1)) : -1;
    }

    private Optional<T> parsed(String text) {
        try {
            return Optional.of(type.parse().apply(text));
        } catch (IdFormatException e) {
            return Optional.empty();
        }
    }

    @Test
    void shouldSortAsTheFileSaysWhenShuffled() {
        List<T> sorted = ids(file.order().sorted());
        List<T> shuffled = new ArrayList<>(sorted);
        Collections.shuffle(shuffled, new Random(8));

        assertEquals(sorted, shuffled.stream().sorted().toList());
        if (!file.order().isAlike(TIME)) {
            assertEquals(
                    ids(Objects.requireNonNull(file.order().sortedByTime())),
                    shuffled.stream()
                            .sorted(Comparator.comparing(T::time).thenComparing(Comparator.naturalOrder()))
                            .toList());
        }
    }

    /** Two IDs of one time may come in any order. */
    @Test
    void shouldSortAlikeOrOtherwiseByTimeAndEachFormAsTheFileSays() {
        Map<String, Comparator<T>> orders = orders();
        List<T> sorted = ids(file.order().sorted());

        assertEquals(
                orders.keySet().stream().sorted().toList(),
                Stream.concat(
                                file.order().alike().stream(),
                                file.order().otherwise().stream().map(Otherwise::by))
                        .sorted()
                        .toList());
        for (String key : file.order().alike()) {
            Comparator<T> order = Objects.requireNonNull(orders.get(key));
            for (int i = 1; i < sorted.size(); i++) {
                T smaller = sorted.get(i - 1);
                T larger = sorted.get(i);
                int atMost = key.equals(TIME) ? 0 : -1;
                assertTrue(
                        order.compare(smaller, larger) <= atMost, () -> smaller + " before " + larger + " by " + key);
            }
        }
        for (Otherwise pair : file.order().otherwise()) {
            T smaller = type.parse().apply(pair.smaller());
            T larger = type.parse().apply(pair.larger());
            assertTrue(smaller.compareTo(larger) < 0, pair::toString);
            assertTrue(Objects.requireNonNull(orders.get(pair.by())).compare(smaller, larger) > 0, pair::toString);
        }
    }

    /** By the names that the file has for them. */
    private Map<String, Comparator<T>> orders() {
        Map<String, Comparator<T>> orders = new HashMap<>();
        orders.put(TIME, Comparator.comparing(T::time));
        type.forms().forEach(form -> orders.put(form.name(), Comparator.comparing(form.write())));
        if (type.bytes() == Long.BYTES) {
            orders.put(SIGNED, Comparator.comparingLong(T::low));
        }
        return orders;
    }

    private List<T> ids(List<String> texts) {
        return texts.stream().map(type.parse()).toList();
    }

    Stream<Arguments> refused() {
        return refusals().lines().map(row -> Arguments.of((Object[]) row.split(" +\\| ", 3)));
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("refused")
    void shouldSayWhatAndWhereWhenRefusing(String door, String given, String message) {
        String input = given.translateEscapes();

        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> enter(door, input));

        assertEquals(message, refused.getMessage());
        assertEquals(!door.matches("(of|with).*"), refused instanceof IdFormatException);
        if (refused instanceof IdFormatException format) {
            assertEquals(position(message), format.position());
        }
    }

    private Object enter(String door, String input) {
        return door.equals("bits")
                ? type.reader().of(word(input, 0), word(input, 1))
                : Objects.requireNonNull(doors().get(door), door).apply(input);
    }

    private static long word(String bits, int index) {
        return Long.parseUnsignedLong(bits.split(" ", -1)[index], 16);
    }

    private Form<T> form(String name) {
        return type.forms().stream()
                .filter(form -> form.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** By this name, and as a static method of one text, Jakarta REST, Spring and MicroProfile Config look for it. */
    @Test
    void shouldReadAndRefuseAsParseDoesWhenAskedForValueOf() throws ReflectiveOperationException {
        Method valueOf = valueClass.getMethod("valueOf", String.class);
        T id = random(new Random(8));

        assertEquals(valueClass, valueOf.getReturnType());
        assertEquals(id, valueOf.invoke(null, id.toString()));
        List<Invalid> invalid = invalid()
                .filter(each -> each.form().equals(IdType.Form.CANONICAL) && each.type() == null)
                .toList();
        assertFalse(invalid.isEmpty());
        for (Invalid each : invalid) {
            InvocationTargetException thrown =
                    assertThrows(InvocationTargetException.class, () -> valueOf.invoke(null, each.text()));
            IdFormatException refusal = assertInstanceOf(IdFormatException.class, thrown.getCause());
            assertEquals(each.reason(), refusal.getMessage());
        }
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

    /** The texts of a form, too, sort as the file says, whichever IDs there are. */
    Stream<Sorting<T>> allSortings() {
        boolean byTime = file.order().isAlike(TIME);
        Stream<Sorting<T>> texts = type.forms().stream().map(form -> {
            boolean alike = file.order().isAlike(form.name());
            return Sorting.by(form.name(), form.write(), alike, alike && byTime);
        });
        return Stream.concat(texts, sortings());
    }

    @ParameterizedTest
    @MethodSource("allSortings")
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
