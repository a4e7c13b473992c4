package org.idallocator.service.ids;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.UnknownSchemeException;
import org.idallocator.zk.IdSource;

/** Answers requests for IDs, from the generators of all schemes that are served. Thread-safe. */
public final class IdService {
    private final IdSource source;
    private final List<Scheme<?>> schemes;
    private final Map<String, Issuer> byScheme;
    private final Limits limits;
    private final Consumer<Limit> refused;
    private final Semaphore streams;
    private final Semaphore processors = new Semaphore(Runtime.getRuntime().availableProcessors(), true);

    /**
     * A service.
     *
     * @param listeners gives a scheme's listener by the scheme's name
     * @param limits how much is done at a time
     * @param refused counts what is refused for that
     */
    public IdService(IdSource source, Function<String, IdListener> listeners, Limits limits, Consumer<Limit> refused) {
        this.source = source;
        this.schemes = source.schemes();
        this.limits = limits;
        this.refused = refused;
        streams = new Semaphore(limits.streams());
        byScheme = schemes.stream()
                .collect(Collectors.toUnmodifiableMap(
                        Scheme::name, scheme -> issuer(scheme, listeners.apply(scheme.name()))));
    }

    private Issuer issuer(Scheme<?> scheme, IdListener listener) {
        Backlog backlog = new Backlog(() -> perSecond(scheme, source), limits.longestBatch());
        return Issuer.of(scheme, source.generator(scheme), listener, backlog);
    }

    /** How many IDs of a scheme the slots that serve give a second; those of one slot where none does. */
    private static long perSecond(Scheme<?> scheme, IdSource source) {
        long slots = source.held().stream()
                .filter(held -> held.scheme().equals(scheme.name()))
                .count();
        long ofOne = scheme.idsPerSecond();
        return ofOne == Long.MAX_VALUE ? ofOne : ofOne * Math.max(1, slots);
    }

    /** Where the IDs come from. */
    public IdSource source() {
        return source;
    }

    /** The schemes that are served. */
    public List<Scheme<?>> schemes() {
        return schemes;
    }

    /** How much is done at a time. */
    public Limits limits() {
        return limits;
    }

    /** Counts a request that a limit refuses, and says what its client is told. */
    public BusyException busy(Limit limit) {
        refused.accept(limit);
        return limits.busy(limit);
    }

    /** The places of large answers, of all schemes together. */
    Semaphore streams() {
        return streams;
    }

    /** Those on which IDs of large answers are drawn. */
    Semaphore processors() {
        return processors;
    }

    /** The answer to a request; nothing is drawn yet. Throws {@link UnknownSchemeException} for a scheme that is not served. */
    public IdAnswer answer(IdRequest<?> request, Media media) {
        String scheme = request.scheme().name();
        Issuer issuer = byScheme.get(scheme);
        if (issuer == null) {
            throw Schemes.unknown(scheme, schemes);
        }
        return new IdAnswer(this, issuer, request, media);
    }

    /**
     * How IDs of one scheme are issued.
     *
     * @param generator draws them
     * @param chunk how many are drawn at a time, 1 or more: at most what a tick holds, or what the ticks of a millisecond hold together
     *     where ticks are shorter, and never more than {@value #MOST}. Whether somebody waits for them is asked after so many, and
     *     whenever a tick gave fewer
     * @param slow whether one slot gives so few a second that a client should not wait until they fill a buffer: fewer than {@value #MOST}
     * @param listener hears of every answer
     * @param backlog the batches that are being drawn
     */
    record Issuer(IdGenerator<? extends Id> generator, int chunk, boolean slow, IdListener listener, Backlog backlog) {
        private static final int MOST = 4_096;
        private static final long MILLI_MICROS = 1_000;

        static Issuer of(Scheme<?> scheme, IdGenerator<? extends Id> generator, IdListener listener, Backlog backlog) {
            return new Issuer(generator, chunk(scheme), scheme.idsPerSecond() < MOST, listener, backlog);
        }

        private static int chunk(Scheme<?> scheme) {
            long ticks = Math.max(1, MILLI_MICROS / scheme.unit().tickMicros());
            return (int) Math.min(MOST, Math.min(MOST, scheme.idsPerTick()) * ticks);
        }
    }
}
