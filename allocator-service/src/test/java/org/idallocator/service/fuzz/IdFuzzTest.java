package org.idallocator.service.fuzz;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdFormatException;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.id.LogId;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.SegmentId;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.id.VolumeId;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.Proof;
import org.idallocator.dropwizard.decode.Candidate;
import org.idallocator.dropwizard.decode.Forms;
import org.idallocator.dropwizard.decode.IdGuesser;
import org.idallocator.dropwizard.decode.IdParser;
import org.idallocator.dropwizard.decode.UnreadableIdException;
import org.junit.jupiter.api.Test;

/**
 * Whatever text comes, it is read as the ID that writes it so, or refused in one line that says what is allowed. A run
 * that fails names its seed, which {@code -Dfuzz.seed=} runs again, and keeps the text in {@code target/fuzz}, as JSON:
 * it belongs into the resources then, beside what has failed before.
 */
class IdFuzzTest {
    private static final int TEXTS = Proof.size(200, 20_000);
    private static final Path CORPUS = Path.of("src", "test", "resources", "fuzz-ids");
    private static final List<Scheme<?>> SCHEMES = Schemes.all();
    private static final Pattern REFUSAL = Pattern.compile("[ -~]* must [ -~]*: [ -~]+");
    private static final int WORDS = 500; // of a refusal, beside the text itself
    private static final long LONGEST_NANOS = Duration.ofSeconds(2).toNanos();
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private static final Map<String, Function<byte[], Id>> FROM_BYTES = Map.of(
            "sno", Sno::fromBytes,
            "muid", Muid::fromBytes,
            "eightbyte", EightByteId::fromBytes,
            "uid60", Uid60::fromBytes,
            "gid", Gid::fromBytes);

    private static final List<Strict<?>> STRICT = List.of(
            new Strict<>(Sno::parse, Sno::tryParse),
            new Strict<>(Muid::parse, Muid::tryParse),
            new Strict<>(EightByteId::parse, EightByteId::tryParse),
            new Strict<>(Uid60::parse, Uid60::tryParse),
            new Strict<>(Gid::parse, Gid::tryParse),
            new Strict<>(VolumeId::parse, VolumeId::tryParse),
            new Strict<>(SegmentId::parse, SegmentId::tryParse),
            new Strict<>(LogId::parse, LogId::tryParse));

    /** How a type reads its canonical text. */
    private record Strict<T extends Id>(Function<String, T> parse, Function<String, Optional<T>> tryParse) {
        void check(String text) {
            Optional<T> id = tryParse.apply(text);
            if (id.isPresent()) {
                assertEquals(text, id.get().toString());
                assertEquals(id.get(), parse.apply(text));
            } else {
                assertRefusal(text, assertThrows(IdFormatException.class, () -> parse.apply(text)));
            }
        }
    }

    private static long seed() {
        long seed = Long.getLong("fuzz.seed", new Random().nextLong());
        System.out.println("fuzz.seed=" + seed);
        return seed;
    }

    @Test
    void shouldReadOrRefuseWhatHasFailedBefore() throws IOException {
        try (Stream<Path> files = Files.list(CORPUS)) {
            List<Path> texts = files.sorted().toList();
            assertTrue(texts.size() > 1, "texts: " + texts.size());
            for (Path text : texts) {
                check(Objects.requireNonNull(JSON.readValue(text.toFile(), String.class), text.toString()));
            }
        }
    }

    @Test
    void shouldReadWhatItWrites() {
        long seed = seed();
        FuzzedTexts texts = new FuzzedTexts(new Random(seed));
        for (int i = 0; i < TEXTS; i++) {
            checkWritten(SCHEMES.get(i % SCHEMES.size()), texts, "seed " + seed);
        }
    }

    private static <T extends Id> void checkWritten(Scheme<T> scheme, FuzzedTexts texts, String seed) {
        T id = texts.id(scheme);
        for (Form<T> form : Forms.all(scheme)) {
            String text = form.write().apply(id);
            assertTrue(text.length() >= form.shortest() && text.length() <= form.longest(), seed + ": " + text);
            assertEquals(id, IdParser.parse(scheme, text, Optional.of(form.name())), seed);
        }
        String hex = scheme.type().hex().write().apply(id);
        for (String text : List.of(id.toString(), hex, "0x" + hex, "\\x" + hex.toUpperCase(Locale.ROOT))) {
            assertEquals(id, IdParser.parse(scheme, text, Optional.empty()), seed);
        }
        Function<byte[], Id> fromBytes = Objects.requireNonNull(FROM_BYTES.get(scheme.name()));
        assertArrayEquals(id.toBytes(), fromBytes.apply(id.toBytes()).toBytes(), seed);
    }

    @Test
    void shouldReadOrRefuseAnyText() throws IOException {
        long seed = seed();
        FuzzedTexts texts = new FuzzedTexts(new Random(seed));
        for (int i = 0; i < TEXTS; i++) {
            String text = texts.next(SCHEMES);
            try {
                check(text);
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed + ", kept in " + keep(seed + "-" + i, text) + ": " + e, e);
            }
        }
    }

    private static Path keep(String name, String text) throws IOException {
        Path directory = Files.createDirectories(Path.of("target", "fuzz"));
        return Files.writeString(directory.resolve(name + ".json"), JSON.writeValueAsString(text) + "\n");
    }

    private static void check(String text) {
        long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        STRICT.forEach(type -> type.check(text));
        boolean read = false;
        for (Scheme<?> scheme : SCHEMES) {
            read |= checkForms(scheme, text);
            assertRefusal(
                    text,
                    assertThrows(
                            BadValueException.class,
                            () -> IdParser.parse(scheme, "1", Optional.of("no form " + text))));
        }
        checkGuess(text, read);
        long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin;
        assertTrue(nanos < LONGEST_NANOS, "it takes " + nanos + " ns");
    }

    /** Whether one of a scheme's forms reads a text. */
    private static <T extends Id> boolean checkForms(Scheme<T> scheme, String text) {
        boolean any = false;
        for (Form<T> form : Forms.all(scheme)) {
            Optional<T> id = read(scheme, text, Optional.of(form.name()));
            id.ifPresent(is -> assertEquals(form.write().apply(is), usual(scheme, form.name(), text, is)));
            any |= id.isPresent();
        }
        read(scheme, text, Optional.empty())
                .ifPresent(id -> assertTrue(
                        id.toString().equals(text)
                                || scheme.type().hex().write().apply(id).equals(usual(scheme, "hex", text, id)),
                        id::toString));
        return any;
    }

    private static <T extends Id> Optional<T> read(Scheme<T> scheme, String text, Optional<String> form) {
        try {
            return Optional.of(IdParser.parse(scheme, text, form));
        } catch (IdFormatException | UnreadableIdException e) {
            assertRefusal(text, e);
            assertTrue(form.isEmpty() || e instanceof IdFormatException, e::toString);
            String reader = String.valueOf(e.getMessage()).replaceFirst(".*; form=(\\w+) reads it$", "$1");
            assertEquals(
                    form.isEmpty()
                            && Forms.all(scheme).stream()
                                    .anyMatch(each -> read(scheme, text, Optional.of(each.name()))
                                            .isPresent()),
                    form.isEmpty() && Forms.names(List.of(scheme)).contains(reader),
                    e::toString);
            return Optional.empty();
        }
    }

    /** A text as its form writes it, as far as its page says that it may be written in other ways. */
    private static String usual(Scheme<?> scheme, String form, String text, Id id) {
        return switch (form) {
            case "hex" -> hex(scheme.name(), text.replaceFirst("^(0[xX]|\\\\x)", ""));
            case "uuid" -> text.toLowerCase(Locale.ROOT);
            case "decimal" ->
                scheme.name().equals("eightbyte") && text.equals(Long.toString(id.low()))
                        ? Long.toUnsignedString(id.low())
                        : text;
            default -> text;
        };
    }

    private static String hex(String scheme, String digits) {
        boolean bytes = scheme.equals("uid60") && digits.length() == 2 * Uid60.BYTES;
        String cased = scheme.equals("muid") ? digits.toUpperCase(Locale.ROOT) : digits.toLowerCase(Locale.ROOT);
        return bytes ? cased.substring(1) : cased;
    }

    private static void checkGuess(String text, boolean read) {
        IdGuesser guess = new IdGuesser(SCHEMES, Optional.empty(), Clock.system());
        if (read) {
            List<Candidate> candidates = guess.candidates(text);
            assertFalse(candidates.isEmpty());
            for (Candidate candidate : candidates) {
                Scheme<?> scheme = Schemes.named(candidate.reading().scheme(), SCHEMES);
                assertEquals(
                        candidate.reading().id(),
                        IdParser.parse(scheme, text, Optional.of(candidate.form()))
                                .toString());
            }
        } else {
            String why = String.valueOf(assertThrows(UnreadableIdException.class, () -> guess.candidates(text))
                    .getMessage());
            assertTrue(why.matches("not an ID: [ -~]*") && why.length() < 2 * WORDS + text.length(), why);
        }
        assertRefusal(
                text,
                assertThrows(
                        BadValueException.class,
                        () -> new IdGuesser(SCHEMES, Optional.of("no form " + text), Clock.system())));
    }

    private static void assertRefusal(String text, IllegalArgumentException refusal) {
        String why = String.valueOf(refusal.getMessage());
        assertTrue(REFUSAL.matcher(why).matches(), why);
        assertTrue(why.length() < WORDS + text.length(), () -> "too many words: " + why);
        if (refusal instanceof IdFormatException precise) {
            assertTrue(precise.position() >= -1 && precise.position() < text.length(), precise::toString);
        }
    }
}
