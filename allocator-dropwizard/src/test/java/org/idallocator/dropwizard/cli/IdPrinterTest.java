package org.idallocator.dropwizard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.generator.GidGenerator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.GidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.decode.Forms;
import org.idallocator.dropwizard.ids.IdRequest;
import org.idallocator.dropwizard.testing.ObedientSource;
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
        printer(count, out).print(source.generator(scheme), () -> false);
    }

    private IdPrinter printer(int count, OutputStream out) {
        return printer(scheme, count, new Output(out));
    }

    private static <T extends Id> IdPrinter printer(Scheme<T> scheme, int count, Output out) {
        Form<T> form = Forms.named(scheme, Form.CANONICAL);
        return new IdPrinter(new IdRequest<>(scheme, count, true, VOLUME, form), false, out);
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

    /** As a disk that becomes full: it takes the first lines, and a part of the next ones. */
    @Test
    void shouldCountWhatWasTaken() {
        IdPrinter printer = printer(5_000, new OutputStream() {
            private int writes;

            @Override
            public void write(int octet) {
                throw new UnsupportedOperationException("one byte at a time");
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                if (++writes > 2) {
                    throw new IOException("No space left on device");
                }
            }
        });

        CommandException error =
                assertThrows(CommandException.class, () -> printer.print(source.generator(scheme), () -> false));
        assertEquals(
                "standard output takes no more: No space left on device (2048 of 5000 IDs were printed)",
                error.getMessage());
    }

    @Test
    void shouldPrintNoMoreWhenTheProcessIsEnding() {
        IdPrinter printer = printer(5_000, OutputStream.nullOutputStream());

        printer.print(source.generator(scheme), () -> true);
        assertEquals("1024 of 5000 IDs were printed", printer.tally());
    }
}
