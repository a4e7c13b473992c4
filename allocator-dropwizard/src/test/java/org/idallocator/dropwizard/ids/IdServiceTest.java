package org.idallocator.dropwizard.ids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.MuidGenerator;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.generator.SnoGenerator;
import org.idallocator.core.generator.SnoRange;
import org.idallocator.core.generator.Uid60Generator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.scheme.LocalIds;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.dropwizard.decode.Forms;
import org.idallocator.dropwizard.testing.ObedientSource;
import org.junit.jupiter.api.Test;

/** Who is let in, what is told of waits, and when bytes are sent. A second gives 1,024 uid60s. */
class IdServiceTest {
    private static final int LARGE = 20_000;
    private static final Uid60Scheme SCHEME = new Uid60Scheme(Duration.ofHours(1));

    private final List<String> heard = new ArrayList<>();
    private final List<RuntimeException> failures = new ArrayList<>();
    private final IdListener listener = new IdListener() {
        @Override
        public void issued(long ids) {
            issued += ids;
        }

        @Override
        public void waited(long nanos, boolean first) {
            heard.add(nanos + (first ? " first" : ""));
        }

        @Override
        public void failed(RuntimeException why) {
            failures.add(why);
        }
    };
    private final IdService service = new IdService(
            new ObedientSource(), name -> listener, new Limits(1, 1, Duration.ofSeconds(1), 1, 1, 1), limit -> {});
    private final Backlog backlog = new Backlog(() -> 1_000, Duration.ofSeconds(1));
    private final ScriptedClock clock = new ScriptedClock(Uid60Generator.UNIT.microsAt(1_000));
    private final IdGenerator<Uid60> generator = new LocalIds(Duration.ofSeconds(2), clock).uid60(17);
    private long issued;

    private static <T extends Id> IdRequest<T> request(Scheme<T> scheme, int count, Variant variant) {
        return new IdRequest<>(scheme, count, true, variant, Forms.named(scheme, Form.CANONICAL));
    }

    private <T extends Id> IdAnswer answer(IdGenerator<T> from, IdRequest<T> request) {
        return new IdAnswer(
                service, new IdService.Issuer(request.scheme(), from, listener, backlog), request, Media.TEXT);
    }

    private IdAnswer answer(int count) {
        return answer(generator, request(SCHEME, count, Variant.NONE));
    }

    private static OutputStream doing(Runnable what) {
        return new OutputStream() {
            @Override
            public void write(int b) {
                what.run();
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                what.run();
            }
        };
    }

    /** The places of an answer that is refused for another reason, or cut off, are free again. */
    @Test
    void shouldKeepNoPlaceForWhatIsNotSentToItsEnd() {
        int permits = service.drawPermits().availablePermits();
        try (Backlog.Batch other = backlog.begin(LARGE)) {
            assertThrows(
                    OverCapacityException.class,
                    () -> answer(LARGE).stream(OutputStream.nullOutputStream(), () -> true));
            other.setDrawn(0);
        }
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("broken");
            }
        };
        assertThrows(ClientGoneException.class, () -> answer(LARGE).stream(broken, () -> true));
        assertThrows(
                ClientGoneException.class, () -> answer(LARGE).stream(OutputStream.nullOutputStream(), () -> false));

        assertThrows(
                IllegalStateException.class,
                () -> answer(LARGE).stream(OutputStream.nullOutputStream(), new Failing()));

        assertEquals(0, service.places(Limit.STREAMS).taken());
        assertEquals(permits, service.drawPermits().availablePermits());
    }

    /** What starts when a permit is free fails. */
    private static final class Failing implements IdAnswer.Client {
        @Override
        public void releasePermit() {
            throw new IllegalStateException("broken by a test");
        }

        @Override
        public boolean isPresent() {
            return true;
        }
    }

    /**
     * Whoever does not read keeps no processor from others. A tick gives more snos than a buffer takes: so some are
     * sent while the draw still counts as one that waits.
     */
    @Test
    void shouldKeepNoProcessorWhileBytesAreSent() {
        int permits = service.drawPermits().availablePermits();
        List<Integer> free = new ArrayList<>();
        IdGenerator<Sno> snos = new LocalIds(Duration.ofSeconds(2), clock).sno(new SnoPartition(1), SnoRange.ALL);
        IdRequest<Sno> many = request(new SnoScheme(1, 2, 1), 200_000, SnoGenerator.metabyte(3));

        OutputStream out = doing(() -> free.add(service.drawPermits().availablePermits()));

        answer(LARGE).stream(out, () -> free.add(service.drawPermits().availablePermits() + 1));
        assertEquals(permits, service.drawPermits().availablePermits());
        heard.clear();
        answer(snos, many).stream(out, () -> true);

        assertFalse(heard.isEmpty(), "it waited for ticks");
        assertEquals(List.of(permits), free.stream().distinct().toList());
        assertEquals(permits, service.drawPermits().availablePermits());
    }

    /** A transaction is one draw, whatever its objects. */
    @Test
    void shouldLetATransactionInBesideBatches() {
        IdGenerator<Muid> muids = new LocalIds(Duration.ofSeconds(2), clock).muid(Muid.MIN_MEDALLION);
        IdAnswer transaction = answer(muids, request(new MuidScheme(), 10_000, MuidGenerator.TRANSACTION));
        try (Backlog.Batch other = backlog.begin(LARGE)) {
            byte[] whole = transaction.drawWhole(() -> true);
            assertEquals(
                    10_001, new String(whole, StandardCharsets.US_ASCII).lines().count());
            other.setDrawn(0);
        }
    }

    /** A large answer that has begun is not cut off because others wait, too. */
    @Test
    void shouldTellOfEveryWaitAndWhichIsTheFirstOfAnAnswer() {
        answer(3_000).drawWhole(() -> true);
        answer(1_024).drawWhole(() -> true);
        assertEquals(List.of("1000000000 first", "1000000000", "1000000000 first"), heard);

        heard.clear();
        answer(LARGE).stream(OutputStream.nullOutputStream(), () -> true);
        assertEquals(20, heard.size(), "72 were left of a second");
        assertEquals(4_024 + LARGE, issued);
    }

    /** What is kept for a client's work may be others' meanwhile. */
    @Test
    void shouldTellTheClientWhenTheDrawIsAboutToWait() {
        List<Long> releases = new ArrayList<>();
        IdAnswer.Client client = new IdAnswer.Client() {
            @Override
            public boolean isPresent() {
                return true;
            }

            @Override
            public void releasePermit() {
                releases.add(clock.nanos());
            }
        };

        answer(1_024).drawWhole(client);
        assertEquals(List.of(), releases, "the whole second was left");
        answer(2).drawWhole(client);
        assertEquals(List.of(0L), releases, "before the next one has come");
    }

    @Test
    void shouldDrawNoPartForWhomItRefuses() {
        try (Backlog.Batch other = backlog.begin(LARGE)) {
            assertThrows(OverCapacityException.class, () -> answer(1_025).drawWhole(() -> true));
            other.setDrawn(0);
        }

        assertEquals(0, issued);
        answer(1_024).drawWhole(() -> true);
        assertEquals(0, clock.nanos(), "the whole second was left");
    }

    /**
     * A buffer of 64 KiB takes uid60s of six seconds. What comes after an ID is sent with the next one. Others have
     * most of the first second: its rest is not kept until there is more.
     */
    @Test
    void shouldSendWhatIsDrawnBeforeItWaitsForTheNextTick() {
        List<String> sent = new ArrayList<>();
        OutputStream client = new ByteArrayOutputStream() {
            @Override
            public void flush() {
                sent.add((size() + 1) / 11 + " after " + clock.nanos() / 1_000_000_000 + " s");
            }
        };

        generator.next(1_000);
        answer(3_000).stream(client, () -> true);

        assertEquals(List.of("24 after 0 s", "1048 after 1 s", "2072 after 2 s", "3000 after 3 s"), sent);
    }

    /** Who has seen an ID of the second may have to wait, and a thread that polls may not. */
    @Test
    void shouldPollNothingThatIsToSortAfterAnother() {
        IdRequest<Uid60> any = request(SCHEME, 1, Variant.NONE);
        IdRequest<Uid60> after =
                new IdRequest<>(SCHEME, 1, true, Variant.NONE, any.form(), Optional.of(Uid60.last(clock.instant())));

        assertEquals(Optional.empty(), answer(generator, after).poll());
        assertEquals(0, issued);
        assertTrue(answer(generator, any).poll().isPresent());
    }

    /** A variant of another scheme, which no request can ask for, stands for what nobody expects. */
    @Test
    void shouldTellItsListenerWhenPollingFails() {
        IdAnswer answer = service.answer(request(SCHEME, 1, SnoGenerator.metabyte(3)), Media.TEXT);

        RuntimeException thrown = assertThrows(IllegalArgumentException.class, answer::poll);

        assertEquals(List.of(thrown), failures);
        assertEquals(0, issued);
    }
}
