package org.idallocator.core.generator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who gets how many of the numbers of a tick, where callers want more of them than it holds. Knows no clock, thread or
 * generator. What it takes for several places in one step, it shares among them: each number goes to one of them, or
 * two would have the same ID. Not thread-safe.
 *
 * <p>A <i>single</i> wants the number of one ID; everybody else is a <i>batch</i>. They stand in two rows.
 *
 * <ul>
 *   <li>While batches stand in line, singles get up to six eighths of a tick first, in the order in which they came;
 *       then the batches, in even shares; then singles what is left.
 *   <li>Batches keep an eighth of the tick for singles to come, if the caller of {@link #serve} says so. Otherwise they
 *       take the whole tick.
 * </ul>
 *
 * <p>To join, to leave, and to say how long the line is takes as long for a long line as for a short one. To serve
 * takes as long as there are places that get something, and for k batches together k log k.
 */
final class Line {
    /**
     * A tick has so many parts: singles, batches and those to come have some each. Ticks of fewer numbers are not
     * shared.
     */
    static final int SHARES = 8;

    private final Row singles = new Row();
    private final Row batches = new Row();
    private Taken answer = Taken.none(0, Taken.Until.NEXT_TICK); // the last one to those in line

    /** Where numbers come from, as {@link Generator#take} says. */
    @FunctionalInterface
    interface Taker {
        Taken take(int wanted, boolean keep);
    }

    /** Where somebody stands who wants numbers. It stands in one line at most. */
    abstract static class Place {
        private final boolean single;
        private final int wanted;
        private boolean joined;
        private boolean standing;
        private @Nullable Place ahead;
        private @Nullable Place behind;
        private long callsBefore; // since the row was empty, but for those who left the end of the row
        private long numbersBefore; // that they wanted

        /** {@code wanted} is how many numbers, 1 or more. */
        Place(boolean single, int wanted) {
            this.single = single;
            this.wanted = wanted;
        }

        /** Is given these numbers, 1 to as many as it wants, which nobody else has. It has left the line then. */
        abstract void receive(Taken part);

        /** Whether it stands in line, or has stood there. */
        final boolean hasJoined() {
            return joined;
        }
    }

    /**
     * Places in the order in which they joined, each linked to its neighbours, so that one in the middle leaves in one
     * step.
     */
    private static final class Row {
        private @Nullable Place first;
        private @Nullable Place last;
        private int calls; // that stand here
        private long numbers; // that they want

        private void add(Place place) {
            place.joined = true;
            place.standing = true;
            place.ahead = last;
            if (last == null) {
                first = place;
                place.callsBefore = 0;
                place.numbersBefore = 0;
            } else {
                last.behind = place;
                place.callsBefore = last.callsBefore + 1;
                place.numbersBefore = last.numbersBefore + last.wanted;
            }
            last = place;
            calls++;
            numbers += place.wanted;
        }

        private void remove(Place place) {
            place.standing = false;
            if (place.ahead == null) {
                first = place.behind;
            } else {
                place.ahead.behind = place.behind;
            }
            if (place.behind == null) {
                last = place.ahead;
            } else {
                place.behind.ahead = place.ahead;
            }
            place.ahead = null; // or whoever holds a place would hold all that ever stood beside it
            place.behind = null;
            calls--;
            numbers -= place.wanted;
        }

        /** The first places, so many or all, in their order. */
        private List<Place> first(int most) {
            List<Place> places = new ArrayList<>(Math.min(most, calls));
            for (Place place = first; place != null && places.size() < most; place = place.behind) {
                places.add(place);
            }
            return places;
        }
    }

    /** Stands in line, at the end of its row. */
    void join(Place place) {
        if (place.standing) {
            throw new IllegalStateException("the place stands in line already");
        }
        row(place.single).add(place);
    }

    /**
     * Leaves the line: nobody gives it anything from now on. Does nothing where it stands in line no more, or never
     * did.
     */
    void leave(Place place) {
        if (place.standing) {
            row(place.single).remove(place);
        }
    }

    /** Whether no single stands in line, or no batch. */
    boolean isEmpty(boolean single) {
        return row(single).calls == 0;
    }

    /**
     * How many whole ticks those ahead of a place take, of which none has been used yet. Exact for whoever has just
     * joined. Later it may be more, where somebody between the first in line and this place has left whom others had
     * joined behind; but no more than for the last in line.
     *
     * @param place one that stands in line
     * @param holds how many numbers a tick has, {@link #SHARES} or more
     * @param keep whether batches keep a part of each tick for singles to come
     */
    long ticksUntil(Place place, int holds, boolean keep) {
        Row row = row(place.single);
        Place first = row.first;
        if (!place.standing || first == null) {
            throw new IllegalStateException("the place stands in no line");
        }
        long calls = Math.min(place.callsBefore - first.callsBefore, row.calls - 1);
        long numbers = Math.min(place.numbersBefore - first.numbersBefore, row.numbers - place.wanted);
        // A tick serves so many calls at least: where many want a lot, each gets a little, and goes.
        return Math.min(calls / (holds / SHARES), numbers / numbersATick(place.single, holds, keep));
    }

    /** How many numbers of a tick a row gets at least while it wants them. */
    private int numbersATick(boolean single, int holds, boolean keep) {
        int part = holds / SHARES;
        if (single) {
            return batches.calls == 0 ? holds : holds - part;
        }
        return keep ? part : holds;
    }

    /**
     * Takes for those in line, and gives each of the first of them a part, whether or not that is all that they want.
     * When {@code from} throws, those who were served before have what they got, and the others stand in line as
     * before.
     *
     * @param holds how many numbers a tick has, or 0 where nothing is known to be left of it: then {@code from} tells
     *     how long to wait
     * @param keep whether batches keep a part of the tick for singles to come
     * @return the last answer of {@code from}; an older one where nobody stands in line
     */
    Taken serve(Taker from, int holds, boolean keep) {
        int all = holds == 0 ? Integer.MAX_VALUE : holds;
        if (batches.calls == 0) {
            give(singles, from, all, false);
        } else if (give(singles, from, all - 2 * (all / SHARES), false)) {
            give(batches, from, all, keep);
            give(singles, from, all, false);
        }
        return answer;
    }

    /** Gives a row up to {@code most} numbers. False when there are no more, before all were served. */
    private boolean give(Row row, Taker from, int most, boolean keep) {
        int left = most;
        while (left > 0 && row.calls > 0) {
            answer = from.take((int) Math.min(row.numbers, left), keep);
            if (answer.count() == 0) {
                return false;
            }
            left -= answer.count();
            share(answer, row);
        }
        return true;
    }

    /**
     * Gives the first in the row a part each, as even as what they want allows. As each wants a number or more, and all
     * together want what was taken or more, every number finds an owner.
     */
    private static void share(Taken taken, Row row) {
        List<Place> places = row.first(taken.count());
        places.sort(Comparator.comparingInt(place -> place.wanted));
        int from = 0;
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            Taken part = taken.part(from, Math.min(place.wanted, (taken.count() - from) / (places.size() - i)));
            from += part.count();
            row.remove(place);
            place.receive(part);
        }
    }

    private Row row(boolean single) {
        return single ? singles : batches;
    }
}
