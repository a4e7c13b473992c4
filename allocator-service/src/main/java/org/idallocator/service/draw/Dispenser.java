package org.idallocator.service.draw;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.UnknownSchemeException;

/** Answers orders for IDs, from the generators of all schemes that are served. Thread-safe. */
public final class Dispenser {
    private final IdSource source;
    private final List<Scheme<?>> schemes;
    private final Map<String, Draws> byScheme;
    private final Limits limits;
    private final BusyCounts busy;
    private final Places readings;

    /**
     * A dispenser.
     *
     * @param listeners gives a scheme's listener by the scheme's name
     * @param limits how much is done at a time
     * @param busy counts what is refused for that
     */
    public Dispenser(IdSource source, Function<String, DrawListener> listeners, Limits limits, BusyCounts busy) {
        this.source = source;
        this.schemes = source.schemes();
        this.limits = limits;
        this.busy = busy;
        this.readings = limits.readingPlaces(busy);
        Places streams = limits.streamPlaces(busy);
        byScheme = schemes.stream()
                .collect(Collectors.toUnmodifiableMap(
                        Scheme::name,
                        scheme -> Draws.of(
                                scheme,
                                source.generator(scheme),
                                listeners.apply(scheme.name()),
                                new Admission(
                                        streams,
                                        limits.waitingPlaces("one ID of " + scheme.name(), busy),
                                        limits.waitingPlaces("several IDs of " + scheme.name(), busy),
                                        new Backlog(() -> perSecond(scheme, source), limits.longestBatch())))));
    }

    /** How many IDs of a scheme the slots that serve give a second; those of one slot where none does. */
    private static long perSecond(Scheme<?> scheme, IdSource source) {
        long slots = source.held().stream()
                .filter(held -> held.scheme().equals(scheme.name()))
                .count();
        long ofOne = scheme.idsPerSecond();
        return ofOne == Long.MAX_VALUE ? ofOne : ofOne * Math.max(1, slots);
    }

    /** How much is done at a time. */
    public Limits limits() {
        return limits;
    }

    /** Counts a request that a limit refuses, and says what its client is told. */
    public BusyException busy(Limit limit) {
        busy.refused(limit);
        return new BusyException(limits.requests()
                + " requests are being answered, which is all that this replica does at a time (" + limit.key()
                + "); ask again");
    }

    /** The places of those who are told at the same time what an ID says, whoever tells them. */
    public Places readings() {
        return readings;
    }

    /** Where the IDs come from. */
    public IdSource source() {
        return source;
    }

    /** The schemes that are served. */
    public List<Scheme<?>> schemes() {
        return schemes;
    }

    /**
     * The answer to an order, with the IDs in a form of the scheme; nothing is drawn yet. Throws {@link UnknownSchemeException}
     * for a scheme that is not served.
     */
    public <T extends Id> Answer answer(Scheme<T> scheme, Order order, Form<T> form, Media media) {
        Draws draws = byScheme.get(scheme.name());
        if (draws == null) {
            throw Schemes.unknown(scheme.name(), schemes);
        }
        return new Answer(draws, IdEncoder.of(scheme, form), order, Frame.of(media, scheme.name(), order));
    }
}
