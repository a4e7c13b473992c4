package org.idallocator.core.generator;

import org.idallocator.core.id.IdSink;

/** What the leased schemes' generators share: a sequence to claim from. */
abstract class SequencedGenerator implements Generator {
    final TickSequence sequence;

    SequencedGenerator(TickSequence sequence) {
        this.sequence = sequence;
    }

    @Override
    public final Draw draw(int count, int variant, IdSink sink) {
        Claim claim = claim(places(Count.require(count), variant));
        int issued = claim.count() == 0 ? 0 : emit(claim, count, variant, sink);
        return issued == count ? Draw.all(issued) : new Draw(issued, claim.waitNanos(), claim.cooling());
    }

    /** Claims up to so many places. */
    Claim claim(int places) {
        return sequence.claim(places);
    }

    /** How many places {@code count} IDs need. */
    int places(int count, int variant) {
        return count;
    }

    /** Hands the claimed IDs to the sink and says how many of {@code count} they are. */
    abstract int emit(Claim claim, int count, int variant, IdSink sink);

    @Override
    public long dueTick(long now) {
        return sequence.dueTick(now);
    }

    @Override
    public final long close() {
        return sequence.close();
    }
}
