package org.idallocator.core.checkpoint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;

/**
 * Checkpoints of this process, as CRaC and AWS Lambda's SnapStart make them: the memory of the process is written to a
 * file, and any number of processes go on from it. What must not be the same in two of them takes part: it is told
 * before the file is written, and again in each process that goes on. Thread-safe.
 *
 * <p>Checkpoints are told by {@code org.crac}, where the program has that on its class path. Where it has not, and on a
 * Java that makes no checkpoints, nobody is ever told anything.
 */
public final class Checkpoints {
    /** In the order in which they began to take part. */
    private static final List<Participant> PARTICIPANTS = new CopyOnWriteArrayList<>();

    static {
        if (isTold()) {
            Told.register();
        }
    }

    private Checkpoints() {}

    /** What takes part in checkpoints. Both are called on the thread of whoever makes the checkpoint. */
    public interface Participant {
        /**
         * Gives up what no two processes may have. An exception from here prevents the checkpoint;
         * {@link #afterRestore} is called then, too.
         */
        void beforeCheckpoint() throws Exception;

        /** Takes up again what was given up, and differs in each process that goes on. */
        void afterRestore() throws Exception;
    }

    private static boolean isTold() {
        try {
            Class.forName("org.crac.Core", false, Checkpoints.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /**
     * Has this take part from now on, until it {@link #remove leaves}. Who takes part later is told of a checkpoint
     * earlier, and of its end later.
     */
    public static void add(Participant participant) {
        PARTICIPANTS.add(participant);
    }

    /** Tells this no more. */
    public static void remove(Participant participant) {
        PARTICIPANTS.remove(participant);
    }

    /** What {@code org.crac} tells. Loaded only where that is there. */
    private static final class Told implements Resource {
        /** Kept here, as {@code org.crac} keeps nothing that it tells. */
        private static final Told ONLY = new Told();

        static void register() {
            Core.getGlobalContext().register(ONLY);
        }

        @Override
        public void beforeCheckpoint(Context<? extends Resource> context) throws Exception {
            List<Participant> latestFirst = new ArrayList<>(PARTICIPANTS);
            Collections.reverse(latestFirst);
            tellAll(latestFirst, Participant::beforeCheckpoint);
        }

        @Override
        public void afterRestore(Context<? extends Resource> context) throws Exception {
            tellAll(PARTICIPANTS, Participant::afterRestore);
        }

        /** What one throws keeps no other from being told. */
        private static void tellAll(List<Participant> all, Telling telling) throws Exception {
            List<Exception> failures = new ArrayList<>();
            for (Participant each : all) {
                try {
                    telling.tell(each);
                } catch (Exception e) {
                    failures.add(e);
                }
            }
            if (!failures.isEmpty()) {
                Exception first = failures.remove(0);
                failures.forEach(first::addSuppressed);
                throw first;
            }
        }
    }

    private interface Telling {
        void tell(Participant participant) throws Exception;
    }
}
