package org.idallocator.zk.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.idallocator.zk.store.SimulatedClient.Fault;

/**
 * How bad a simulation's troubled part is. Each seed draws its own rates, and leaves some kinds of trouble out: a kind
 * that is always there hides what the others would show.
 */
final class Weather {
    private static final double[] FAULT_RATES = {0, 0.01, 0.03, 0.1};
    private static final long[] TROUBLE_MILLIS = {200, 500, 1_500, 4_000};
    private static final long HANDOVER_MILLIS = 100;
    private static final Fault[] FAULTS = Fault.values();

    /** What makes holders release their slots, and successors start where their predecessors drew. */
    private static final List<Trouble> HANDING_OVER = List.of(
            Trouble.STOP,
            Trouble.STOP,
            Trouble.CLOCK_TO_LAST_ID,
            Trouble.CLOCK_TO_LAST_ID,
            Trouble.CLOCK_TO_LAST_ID,
            Trouble.FREEZE_THREAD);

    /** What takes a slot away from a holder that does not know. */
    private static final List<Trouble> TAKING_AWAY = List.of(
            Trouble.DELETE_LEASE,
            Trouble.DELETE_LEASE,
            Trouble.DELETE_LEASE,
            Trouble.LAG,
            Trouble.FREEZE_THREAD,
            Trouble.CLOCK_NEAR);

    private final Random random;
    private final double faultRate;
    private final double delayRate;
    private final boolean slotsAreTakenAway;
    private final boolean slotsAreHandedOver;
    private final long troubleMillis;
    private final double keepsRunning;
    private final List<Trouble> troubles = new ArrayList<>();

    Weather(Random random) {
        this.random = random;
        faultRate = FAULT_RATES[random.nextInt(FAULT_RATES.length)];
        delayRate = FAULT_RATES[random.nextInt(FAULT_RATES.length)] / 2;
        keepsRunning = random.nextBoolean() ? 0.5 : 0.8;
        int kind = random.nextInt(6);
        slotsAreTakenAway = kind < 2;
        slotsAreHandedOver = kind == 2;
        troubleMillis = slotsAreHandedOver ? HANDOVER_MILLIS : TROUBLE_MILLIS[random.nextInt(TROUBLE_MILLIS.length)];
        if (slotsAreTakenAway) {
            troubles.addAll(TAKING_AWAY);
        } else if (slotsAreHandedOver) {
            troubles.addAll(HANDING_OVER);
        } else {
            Stream.of(Trouble.values())
                    .filter(trouble -> random.nextInt(100) < 60)
                    .forEach(troubles::add);
        }
    }

    /** What can go wrong besides single calls. */
    enum Trouble {
        /** The server ends a session. */
        EXPIRE,
        /** A client says LOST, with or without reason. */
        SAY_LOST,
        /** A process stops for seconds, like SIGSTOP. */
        FREEZE_REPLICA,
        /** One thread, of a replica or a caller, stops for seconds. */
        FREEZE_THREAD,
        /** A connection breaks, for seconds at most. */
        DISCONNECT,
        /** The server that a client talks to falls behind the others, until the client writes. */
        LAG,
        /** A wall clock jumps a little, or some seconds. */
        CLOCK_NEAR,
        /** A wall clock jumps a year. */
        CLOCK_FAR,
        /** A wall clock jumps to where one of the last IDs was issued. */
        CLOCK_TO_LAST_ID,
        /** The leader's clock jumps some seconds. */
        LEADER_CLOCK,
        /**
         * Another server becomes the leader, with a clock of its own. Meanwhile nobody is connected; then some servers
         * lag.
         */
        ELECTION,
        /** An operator deletes a lease. */
        DELETE_LEASE,
        /** An operator writes into a lease. */
        EDIT_LEASE,
        CRASH,
        /** A replica stops in order, and starts again. */
        STOP,
        /** Somebody removes meta, and an operator restores it later. */
        WIPE_META,
        FENCE_RESTORE,
        /** A request of an abandoned session arrives after all. */
        DELIVER,
        /** A watch fires for nothing. */
        FALSE_ALARM
    }

    /** Whether there are fewer slots than replicas, so that slots change hands all the time. */
    boolean slotsChangeHands() {
        return slotsAreTakenAway || slotsAreHandedOver;
    }

    /** Whether replicas stop in order all the time, and start again soon. */
    boolean slotsAreHandedOver() {
        return slotsAreHandedOver;
    }

    /** The next trouble; where no kinds were drawn, a false alarm. */
    Trouble trouble() {
        return troubles.isEmpty() ? Trouble.FALSE_ALARM : troubles.get(random.nextInt(troubles.size()));
    }

    /** When the next trouble comes, in nanoseconds from now. */
    long calmNanos() {
        return (1 + random.nextInt((int) (2 * troubleMillis))) * 1_000_000L;
    }

    Fault fault() {
        return random.nextDouble() < faultRate ? FAULTS[random.nextInt(FAULTS.length)] : Fault.NONE;
    }

    /** How long a request or an answer is under way, in nanoseconds; mostly 0. */
    long delayNanos() {
        return random.nextDouble() < delayRate ? random.nextInt(1_500_000_000) : 0;
    }

    /** How late a watch fires, in nanoseconds. */
    long newsDelayNanos() {
        return !slotsAreTakenAway && random.nextBoolean() ? 0 : 5L * random.nextInt(1_000_000_000);
    }

    /** Whether the strand that runs goes on, rather than some other. */
    boolean keepsRunning() {
        return random.nextDouble() < keepsRunning;
    }
}
