package org.idallocator.service.cli.generate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.generator.GidGenerator;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.GidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.cli.terminal.ReaderGoneException;
import org.idallocator.service.draw.Order;
import org.idallocator.service.testing.ObedientSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdPrinterTest {
    private static final Variant VOLUME = GidGenerator.type(GidType.VOLUME);

    private final ObedientSource source = new ObedientSource();
    private final Scheme<?> scheme = scheme(GidScheme.NAME);

    private Scheme<?> scheme(String name) {
        return source.schemes().get(Schemes.names().indexOf(name));
    }

    private void print(int count, OutputStream out) {
        print(scheme, source.generator(scheme), Order.of(scheme, count, true, VOLUME), out);
    }

    private static <T extends Id> void print(
            Scheme<T> scheme, IdGenerator<?> generator, Order order, OutputStream out) {
        Output output = new Output(out);
        IdLines lines = IdLines.of(scheme, Optional.empty(), false, output);
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        new IdPrinter(order, lines, output, new Progress(false, order.ids(), nowhere, new ScriptedClock(0)))
                .print(generator, () -> false);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1023, 0", "1024, 1024", "4000, 3072"})
    void shouldSayHowManyWerePrintedWhenAFenceTrips(long fenceAfter, long printed) {
        source.fenceAfter(fenceAfter);
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        CommandException error = assertThrows(CommandException.class, () -> print(5_000, out));

        assertEquals(
                FenceReason.DEADLINE_PASSED.sentence() + " (" + printed + " of 5000 IDs were printed)",
                error.getMessage());
        assertEquals(printed, out.toString(UTF_8).lines().count());
        assertTrue(out.toString(UTF_8)
                .lines()
                .allMatch(id -> id.matches(scheme.type().textPattern())));
    }

    @Test
    void shouldPrintWhileItDraws() {
        List<Integer> sizes = new ArrayList<>();
        print(2_500, new OutputStream() {
            @Override
            public void write(int octet) {
                throw new UnsupportedOperationException("one byte at a time");
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                sizes.add(length / (scheme.type().textLength() + 1));
            }
        });

        assertEquals(List.of(1_024, 1_024, 452), sizes);
    }

    @Test
    void shouldDrawNoMoreWhenNobodyReads() {
        source.fenceAfter(2_048);

        assertThrows(ReaderGoneException.class, () -> print(100_000_000, failing("Broken pipe")));
    }

    @Test
    void shouldSayWhyWhenTheOutputTakesNoMore() {
        CommandException error =
                assertThrows(CommandException.class, () -> print(100_000_000, failing("No space left on device")));

        assertEquals(
                "standard output takes no more: No space left on device (0 of 100000000 IDs were printed)",
                error.getMessage());
    }

    /** As a disk that becomes full: it takes the first lines, and a part of the next ones. */
    @Test
    void shouldCountWhatWasTakenAndEndTheLineOfProgress() {
        ScriptedClock clock = new ScriptedClock(0);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Order order = Order.of(scheme, 5_000, true, VOLUME);
        Output output = new Output(new OutputStream() {
            private int writes;

            @Override
            public void write(int octet) {
                throw new UnsupportedOperationException("one byte at a time");
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                clock.advance(Duration.ofSeconds(2));
                if (++writes > 2) {
                    throw new IOException("No space left on device");
                }
            }
        });
        IdPrinter printer = new IdPrinter(
                order,
                IdLines.of(scheme, Optional.empty(), false, output),
                output,
                new Progress(true, order.ids(), new PrintStream(said, true, UTF_8), clock));

        CommandException error =
                assertThrows(CommandException.class, () -> printer.print(source.generator(scheme), () -> false));
        assertEquals(
                "standard output takes no more: No space left on device (2048 of 5000 IDs were printed)",
                error.getMessage());
        assertTrue(said.toString(UTF_8).endsWith("\r2048 of 5000 IDs, 40 %" + System.lineSeparator()), said::toString);
    }

    @Test
    void shouldPrintNoMoreWhenTheProcessIsEnding() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Output output = new Output(out);
        Order order = Order.of(scheme, 5_000, true, VOLUME);
        IdPrinter printer = new IdPrinter(
                order,
                IdLines.of(scheme, Optional.empty(), false, output),
                output,
                new Progress(false, order.ids(), System.err, new ScriptedClock(0)));

        assertThrows(CommandException.class, () -> printer.print(source.generator(scheme), () -> true));
        assertEquals("1024 of 5000 IDs were printed", printer.tally());
    }

    private static OutputStream failing(String why) {
        return new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                throw new IOException(why);
            }
        };
    }
}
