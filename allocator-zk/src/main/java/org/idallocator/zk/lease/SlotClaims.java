package org.idallocator.zk.lease;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.era.Contact;
import org.idallocator.zk.era.Era;
import org.idallocator.zk.era.Generation;
import org.idallocator.zk.era.Generations;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Session;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Floors;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.Znodes;
import org.jspecify.annotations.Nullable;

/** Claims slots, of all schemes together, part by part. Confined to the lease loop's thread. */
final class SlotClaims {
    private final Znodes nodes;
    private final Generations generations;
    private final SlotChooser chooser;
    private final Claimer claimer;
    private final LeaderClock leaderClock;
    private final LeaseRules rules;
    private final MetaWatch metaWatch;
    private final Vouching vouching;

    /**
     * {@code leaderClock} tells the time by which floors are waited for, and from which those of new generations are
     * counted.
     */
    SlotClaims(
            Znodes nodes,
            Generations generations,
            SlotChooser chooser,
            Claimer claimer,
            LeaderClock leaderClock,
            LeaseRules rules,
            MetaWatch metaWatch,
            Vouching vouching) {
        this.nodes = nodes;
        this.generations = generations;
        this.chooser = chooser;
        this.claimer = claimer;
        this.leaderClock = leaderClock;
        this.rules = rules;
        this.metaWatch = metaWatch;
        this.vouching = vouching;
    }

    /** A round that is to claim a slot for each of these keepers, of which there is one at least. */
    Round newRound(List<SlotKeeper> keepers) {
        return new Round(keepers, Set.of());
    }

    /** The same for one keeper, which is to have none of these slots. */
    Round newRound(SlotKeeper keeper, Set<Slot> avoided) {
        return new Round(List.of(keeper), avoided);
    }

    private enum Part {
        /** Sees to the contact with ZooKeeper, follows meta, and reads the layouts of all pools. */
        FOLLOW,
        /** Agrees on the generation of one pool, and begins one where there is none. */
        AGREE,
        /** Chooses slots of all pools. */
        CHOOSE,
        /** Claims all that were chosen in one transaction, or finds out which of them somebody else was faster at. */
        CLAIM,
        /** It is known what came of each. */
        DONE
    }

    /**
     * A pool of which slots may be claimed.
     *
     * @param floor the earliest time that a tenure may issue, inclusive
     */
    private record Agreed(Era era, Instant floor) {}

    /**
     * One slot for each of some keepers. Each part asks ZooKeeper a few times, so that renewals, which come between,
     * are in time.
     */
    final class Round {
        private final List<SlotKeeper> keepers;
        private final Set<Slot> avoided;
        private final Queue<SchemeSlots> toAgree;
        private final Map<SchemeSlots, Agreed> agreed = new HashMap<>();
        private final Map<SlotKeeper, WantedSlot> wanted = new LinkedHashMap<>();
        private final Map<SlotKeeper, ClaimResult> results = new LinkedHashMap<>();
        private Part part = Part.FOLLOW;
        private @Nullable Contact contact;
        private @Nullable Incarnation meta;
        private @Nullable Generations readAhead; // what was read of the layouts

        private Round(List<SlotKeeper> keepers, Set<Slot> avoided) {
            this.keepers = keepers;
            this.avoided = Set.copyOf(avoided);
            this.toAgree = new ArrayDeque<>(
                    keepers.stream().map(SlotKeeper::schemeSlots).collect(Collectors.toCollection(LinkedHashSet::new)));
        }

        /** Whether it is known what came of each. */
        boolean isDone() {
            return part == Part.DONE;
        }

        /**
         * What came of each. Tenures that were claimed are the caller's to let serve: no further part is to come before
         * that.
         */
        Map<SlotKeeper, ClaimResult> results() {
            return results;
        }

        /**
         * Does the next part. Where that throws, the round is over: the releaser has what may have been claimed.
         *
         * @throws NoneMayServeException when no tenure may serve under what meta says
         * @throws ChangedMeanwhileException when meta has changed
         * @throws StoreException when ZooKeeper does not answer
         */
        void advance(Session session) {
            part = switch (part) {
                case FOLLOW -> followMeta();
                case AGREE -> agree();
                case CHOOSE -> choose();
                case CLAIM -> claim(session);
                case DONE -> throw new IllegalStateException("nothing is left to be claimed");
            };
        }

        private Part followMeta() {
            meta = metaWatch.followOrBegin();
            contact = leaderClock.makeContact(nodes);
            readAhead = generations.readAhead(
                    toAgree.stream().map(SchemeSlots::pool).toList());
            return Part.AGREE;
        }

        private Part agree() {
            SchemeSlots slots = toAgree.remove();
            ClaimResult.attempt(() -> agreeOnEra(slots)).ifPresent(refused -> refuse(slots, refused));
            if (!toAgree.isEmpty()) {
                return Part.AGREE;
            }
            return agreed.isEmpty() ? Part.DONE : Part.CHOOSE;
        }

        /**
         * Refuses all slots of the pool while the era's floor is so far ahead that none would have anything to issue,
         * and, where windows are long, while ZooKeeper may have forgotten what others have reserved.
         */
        private void agreeOnEra(SchemeSlots slots) {
            SlotPool pool = slots.pool();
            Incarnation under = Objects.requireNonNull(meta);
            Generations layouts = Objects.requireNonNull(readAhead);
            Generation layout = layouts.readOrBegin(pool, under, leaderClock);
            Era era = new Era(under, layout);
            metaWatch.rememberOrRemove(pool, era);
            long micros = leaderClock.requireMicros();
            goOnInTheSameContact();
            long floor = era.firstTick(pool.unit());
            Terms terms = rules.terms(pool);
            if (!knowsAll(pool, era, layouts) && nanosUntil(contact().forgottenUntil(terms)) > 0) {
                vouching.ask(pool);
                goOnInTheSameContact();
            }
            Instant forgottenUntil =
                    knowsAll(pool, era, layouts) ? Instant.EPOCH : contact().forgottenUntil(terms);
            long forgottenNanos = nanosUntil(forgottenUntil);
            if (floor > rules.ceiling(pool, micros, OptionalLong.empty())) {
                long nanos = pool.unit().nanosUntil(floor, micros);
                refuse(slots, ClaimResult.Refused.of(LeaseRules.cooling(nanos)));
            } else if (terms.outlastRestore() && forgottenNanos > 0) {
                refuse(slots, ClaimResult.Refused.of(LeaseRules.forgotten(forgottenNanos)));
            } else {
                agreed.put(slots, new Agreed(era, Floors.later(era.floor(), forgottenUntil)));
            }
        }

        /**
         * Whether ZooKeeper can have forgotten nothing that was reserved in this era: its floor is above all that may
         * be forgotten, or its generation began in the history of this contact.
         */
        private boolean knowsAll(SlotPool pool, Era era, Generations layouts) {
            return !contact().forgottenUntil(rules.terms(pool)).isAfter(era.floor())
                    || leaderClock.hasSeen(layouts.begunAt(pool, era.layout().node()));
        }

        /**
         * What was learned in this round before is of the same history; and the contact may count from an earlier time
         * now.
         */
        private void goOnInTheSameContact() {
            if (!leaderClock.isIn(contact())) {
                throw new ChangedMeanwhileException("ZooKeeper was silent for long while slots were chosen");
            }
            contact = leaderClock.contact();
        }

        private Contact contact() {
            return Objects.requireNonNull(contact);
        }

        private long nanosUntil(Instant time) {
            return (Floors.microsUp(time) - leaderClock.earliestMicros()) * 1_000;
        }

        /** None of these keepers gets a slot. */
        private void refuse(SchemeSlots slots, ClaimResult.Refused refused) {
            keepers.stream()
                    .filter(keeper -> keeper.schemeSlots() == slots)
                    .forEach(keeper -> results.put(keeper, refused));
        }

        /** A slot for each of the keepers whose pool is as configured, as far as there are slots. */
        private Part choose() {
            Map<Scheme<?>, List<SlotKeeper>> left = keepers.stream()
                    .filter(keeper -> agreed.containsKey(keeper.schemeSlots()))
                    .collect(Collectors.groupingBy(
                            keeper -> keeper.schemeSlots().scheme(), LinkedHashMap::new, Collectors.toList()));
            Map<Scheme<?>, Integer> counts = new LinkedHashMap<>();
            left.forEach((scheme, its) -> counts.put(scheme, its.size()));
            Map<Scheme<?>, SlotChooser.Choice> choices = chooser.choose(counts, avoided);
            left.forEach((scheme, its) -> share(Objects.requireNonNull(choices.get(scheme)), its));
            return wanted.isEmpty() ? Part.DONE : Part.CLAIM;
        }

        /** Gives each keeper of one scheme a slot to claim, as far as there are any. */
        private void share(SlotChooser.Choice choice, List<SlotKeeper> its) {
            Iterator<Slot> slots = choice.slots().iterator();
            for (SlotKeeper keeper : its) {
                if (slots.hasNext()) {
                    Agreed pool = Objects.requireNonNull(agreed.get(keeper.schemeSlots()));
                    wanted.put(keeper, new WantedSlot(slots.next(), pool.era(), contact(), pool.floor()));
                } else {
                    results.put(keeper, choice.lacking().orElseThrow());
                }
            }
        }

        /** Where one slot is refused, none is claimed: the others are in the next part. */
        private Part claim(Session session) {
            Map<WantedSlot, ClaimResult> claimed =
                    claimer.claim(List.copyOf(wanted.values()), session, Objects.requireNonNull(meta));
            wanted.forEach((keeper, slot) -> {
                ClaimResult result = claimed.get(slot);
                if (result != null) {
                    results.put(keeper, result);
                }
            });
            wanted.keySet().removeAll(results.keySet());
            return wanted.isEmpty() ? Part.DONE : Part.CLAIM;
        }
    }
}
