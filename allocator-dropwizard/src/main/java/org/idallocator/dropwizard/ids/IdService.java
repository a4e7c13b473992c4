package org.idallocator.dropwizard.ids;

import com.google.common.math.LongMath;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.IdSource;
import org.idallocator.zk.lease.SchemeStatus;

/** Answers requests for IDs, from the generators of all schemes that are served. Thread-safe. */
public final class IdService {
    private final IdSource source;
    private final Map<String, Issuer> byScheme;
    private final Limits limits;
    private final Consumer<Limit> busyCounter;
    private final Map<Limit, Places> places;
    private final Semaphore drawPermits = new Semaphore(Runtime.getRuntime().availableProcessors(), true);

    /**
     * A service.
     *
     * @param listeners gives a scheme's listener by the scheme's name
     * @param limits how much is done at a time
     * @param busyCounter counts what a limit refuses
     */
    public IdService(
            IdSource source, Function<String, IdListener> listeners, Limits limits, Consumer<Limit> busyCounter) {
        this.source = source;
        this.limits = limits;
        this.busyCounter = busyCounter;
        places = Map.of(
                Limit.STREAMS, new Places(limits.streams()),
                Limit.REQUESTS, new Places(limits.requests()),
                Limit.BODIES, new Places(limits.bodies()));
        byScheme = source.schemes().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Scheme::name, scheme -> issuer(scheme, listeners.apply(scheme.name()))));
    }

    private Issuer issuer(Scheme<?> scheme, IdListener listener) {
        Backlog backlog = new Backlog(() -> perSecond(scheme, source), limits.longestBatch());
        return new Issuer(scheme, source.generator(scheme), listener, backlog);
    }

    /** How many IDs a second the serving slots of a scheme give together; those of one slot when none serves. */
    private static long perSecond(Scheme<?> scheme, IdSource source) {
        int serving =
                source.status(scheme).slots().map(SchemeStatus.Slots::serving).orElse(1);
        return LongMath.saturatedMultiply(scheme.idsPerSecond(), Math.max(1, serving));
    }

    /** Where the IDs come from. */
    public IdSource source() {
        return source;
    }

    /** How much is done at a time. */
    public Limits limits() {
        return limits;
    }

    /** Counts a request, or a connection, that a limit refuses. */
    public void countBusy(Limit limit) {
        busyCounter.accept(limit);
    }

    /** The places that a limit allows, for all schemes together. */
    public Places places(Limit limit) {
        return Objects.requireNonNull(places.get(limit));
    }

    /** The places of all limits that are counted in places. */
    public Map<Limit, Places> places() {
        return places;
    }

    /** The permits to draw large answers, one for each processor. */
    Semaphore drawPermits() {
        return drawPermits;
    }

    /** The answer to a request; nothing is drawn yet. The request's scheme must be one of the {@link #source}. */
    public IdAnswer answer(IdRequest<?> request, Media media) {
        String scheme = request.scheme().name();
        Issuer issuer = Objects.requireNonNull(byScheme.get(scheme), () -> "scheme " + scheme + " is not served");
        return new IdAnswer(this, issuer, request, media);
    }

    /**
     * What issues the IDs of one scheme.
     *
     * @param generator draws the IDs
     * @param listener is told of every answer
     * @param backlog the batches that are being drawn
     */
    record Issuer(Scheme<?> scheme, IdGenerator<? extends Id> generator, IdListener listener, Backlog backlog) {
        private static final int MAX_CHUNK = 4_096;
        private static final long MILLI_MICROS = 1_000;

        /**
         * The size of a chunk, 1 to {@value #MAX_CHUNK} IDs: what one tick holds, or what the ticks of a millisecond
         * hold together where ticks are shorter. After each chunk, and in each tick that gives fewer, it is asked
         * whether the client is still there.
         */
        int chunk() {
            long ticks = Math.max(1, MILLI_MICROS / scheme.unit().tickMicros());
            return (int) Math.min(MAX_CHUNK, Math.min(MAX_CHUNK, scheme.idsPerTick()) * ticks);
        }

        /** Whether one slot gives so few IDs a second that a client should get them before they fill a buffer. */
        boolean isSlow() {
            return scheme.idsPerSecond() < MAX_CHUNK;
        }
    }
}
