package org.idallocator.service.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.decode.Forms;
import org.idallocator.service.ids.IdRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class IdLinesTest {
    private static final int FEW = 50;
    private static final int MANY = 20_000;

    static Stream<Scheme<?>> schemes() {
        return Schemes.all().stream();
    }

    private static <T extends Id> IdGenerator<T> generator(Scheme<T> scheme) {
        return scheme.onSlot(1, Duration.ofSeconds(2), new ScriptedClock(1_750_000_000_000_000L));
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void shouldWriteEachFormAsTheFormDoes(Scheme<?> scheme) {
        requireAllForms(scheme);
    }

    private static <T extends Id> void requireAllForms(Scheme<T> scheme) {
        List<T> ids = generator(scheme).next(FEW);
        for (Form<T> form : Forms.all(scheme)) {
            assertEquals(lines(ids, form.write()), written(ids, scheme, form, false));
            assertEquals(lines(ids, id -> '"' + form.write().apply(id) + '"'), written(ids, scheme, form, true));
        }
    }

    private static <T extends Id> String lines(List<T> ids, Function<T, String> text) {
        return ids.stream().map(id -> text.apply(id) + "\n").collect(Collectors.joining());
    }

    private static <T extends Id> String written(List<T> ids, Scheme<T> scheme, Form<T> form, boolean json) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Output out = new Output(bytes)) {
            IdPrinter lines = printer(scheme, form, json, out);
            ids.forEach(id -> lines.accept(id.high(), id.low()));
        }
        return bytes.toString(US_ASCII);
    }

    private static <T extends Id> IdPrinter printer(Scheme<T> scheme, Form<T> form, boolean json, Output out) {
        return new IdPrinter(new IdRequest<>(scheme, 1, true, scheme.defaultVariant(), form), json, out);
    }

    private static <T extends Id> IdPrinter canonical(Scheme<T> scheme) {
        Output out = new Output(OutputStream.nullOutputStream());
        return printer(scheme, Forms.named(scheme, Form.CANONICAL), false, out);
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void shouldMakeNoGarbageForCanonicalText(Scheme<?> scheme) {
        IdPrinter lines = canonical(scheme);
        long[] bits = new long[2];
        generator(scheme).next(1, (high, low) -> {
            bits[0] = high;
            bits[1] = low;
        });
        writeMany(lines, bits); // loads classes

        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        writeMany(lines, bits);
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;

        assertTrue(bytes < MANY / 10, () -> bytes + " bytes for " + MANY + " IDs"); // no object is so small
    }

    private static void writeMany(IdPrinter lines, long[] bits) {
        for (int i = 0; i < MANY; i++) {
            lines.accept(bits[0], bits[1]);
        }
    }
}
