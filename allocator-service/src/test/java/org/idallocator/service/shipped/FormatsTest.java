package org.idallocator.service.shipped;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType;
import org.idallocator.core.id.IdType.Field;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Schemes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code docs/formats.md} says of layouts, and of its examples, is what the library says. */
class FormatsTest {
    private static final Path ROOT = Path.of("..");
    /** A row of a layout: first bit, last bit where there is more than one, width, and the name of the field. */
    private static final Pattern FIELD = Pattern.compile("(?m)^\\| (\\d+)(?: to (\\d+))? \\| (\\d+) \\| `(\\w+)` \\|");
    /** A row of an example: what, and the value. */
    private static final Pattern VALUE = Pattern.compile("(?m)^\\| `(\\w+)` \\| `([^`]+)` \\|");

    private static final Pattern ALPHABET = Pattern.compile("(?m)^\\| [^|]+ \\| `(\\S{16,})` \\|");

    @ParameterizedTest
    @MethodSource("schemes")
    void shouldSayWhichBitsAFieldHas(String scheme) throws IOException {
        List<String> written = FIELD.matcher(section("## " + scheme))
                .results()
                .map(FormatsTest::layout)
                .toList();
        List<String> fields = type(scheme).fields().stream()
                .map(field -> layout(field.name(), field.firstBit(), field.lastBit()))
                .toList();

        assertEquals(fields, written);
    }

    private static String layout(MatchResult row) {
        int first = Integer.parseInt(row.group(1));
        int last = row.group(2) == null ? first : Integer.parseInt(row.group(2));
        assertEquals(last - first + 1, Integer.parseInt(row.group(3)), row.group());
        return layout(row.group(4), first, last);
    }

    private static String layout(String field, int firstBit, int lastBit) {
        return field + " " + firstBit + ".." + lastBit;
    }

    /** Fields, time, bytes and all texts; and the bits that the text before the table cuts into fields. */
    @ParameterizedTest
    @MethodSource("schemes")
    void shouldSayOfAnExampleWhatTheLibrarySays(String scheme) throws IOException {
        String section = section("## " + scheme);
        Map<String, String> written = example(section);
        String canonical = requireNonNull(written.get(Form.CANONICAL), scheme);

        assertEquals(said(type(scheme), canonical), written);
        assertTrue(section.contains("The example is `" + canonical + "`."), canonical);
        String hex = requireNonNull(written.get("bytes"), scheme);
        List<String> ways = List.of(hex, binary(hex));
        assertTrue(
                section.lines()
                        .anyMatch(line -> ways.contains(line.replace(" ", "").toLowerCase(Locale.ROOT))),
                () -> "no line has the bits " + hex);
    }

    private static Map<String, String> example(String section) {
        return VALUE.matcher(section).results().collect(Collectors.toMap(row -> row.group(1), row -> row.group(2)));
    }

    private static <T extends Id> Map<String, String> said(IdType<T> type, String canonical) {
        T id = type.parse().apply(canonical);
        Map<String, String> said = new HashMap<>();
        for (Field<T> field : type.fields()) {
            said.put(field.name(), Long.toUnsignedString(field.value().applyAsLong(id)));
        }
        said.put("time", id.time().toString());
        said.put("bytes", HexFormat.of().formatHex(id.toBytes()));
        for (Form<T> form : type.forms()) {
            said.put(form.name(), form.write().apply(id));
        }
        return said;
    }

    private static String binary(String hex) {
        int bits = 4 * hex.length();
        return new BigInteger(hex, 16).setBit(bits).toString(2).substring(1); // so leading zeros stay
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void shouldSayWhichTextsAreIdsAndTakeItsExampleFromTheFiles(String scheme) throws IOException {
        String section = section("## " + scheme);
        String file = Files.readString(ROOT.resolve("conformance").resolve(scheme + ".json"));
        String canonical = requireNonNull(example(section).get(Form.CANONICAL), scheme);

        assertTrue(section.contains("- **Text**: `" + type(scheme).textPattern() + "`"), section);
        assertTrue(file.contains("\"canonical\": \"" + canonical + "\""), canonical);
    }

    /** The decoders in Python have them, too, and read all IDs of the conformance files with them. */
    @Test
    void shouldNameTheSymbolsOfEveryAlphabet() throws IOException {
        String decoders = Files.readString(ROOT.resolve("conformance/check.py"));
        List<String> alphabets = ALPHABET.matcher(section("### Alphabets"))
                .results()
                .map(row -> row.group(1))
                .toList();

        assertEquals(4, alphabets.size());
        for (String alphabet : alphabets) {
            assertTrue(decoders.contains(" = \"" + alphabet + "\"\n"), alphabet);
        }
    }

    static List<String> schemes() {
        return Schemes.names();
    }

    private static IdType<?> type(String scheme) {
        return Schemes.named(scheme, Schemes.all()).type();
    }

    private static String section(String heading) throws IOException {
        String page = Files.readString(ROOT.resolve("docs/formats.md"));
        return page.split("(?m)^" + heading + "$", 2)[1].split("(?m)^##+ ", 2)[0];
    }
}
