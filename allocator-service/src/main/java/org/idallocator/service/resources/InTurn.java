package org.idallocator.service.resources;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Has a few requests worked on at a time, in the order in which they came, each on its own thread: however many clients ask, the selector
 * finds a processor. A turn is for work alone. It ends before the request waits for anything: for the rest of its body, for a tick, for
 * ZooKeeper, or for a client to read. What is drawn after that body, and each further part of a large answer, has a turn again. Should one
 * be kept for long all the same, who has waited for as long as the patience goes on without. Thread-safe.
 */
final class InTurn extends Handler.Wrapper {
    private static final int TURNS_OF_A_PROCESSOR = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final LimitedPaths paths;
    private final Semaphore turns;
    private final Duration patience;

    /** Two turns for each processor, of requests for these paths. */
    InTurn(LimitedPaths paths) {
        this(paths, TURNS_OF_A_PROCESSOR * Runtime.getRuntime().availableProcessors(), PATIENCE);
    }

    /** The same with so many turns, and another patience. */
    InTurn(LimitedPaths paths, int turns, Duration patience) {
        this.paths = paths;
        this.turns = new Semaphore(turns, true);
        this.patience = patience;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!paths.include(Request.getPathInContext(request))) {
            return super.handle(request, response, callback);
        }
        Turn turn = new Turn(turns, patience, request);
        request.setAttribute(ClientConnection.PERMIT, (Runnable) turn::end);
        turn.begin();
        try {
            return super.handle(new Read(request, turn), new Written(response, turn), callback);
        } finally {
            turn.end();
        }
    }

    /** How many turns nobody has now. */
    int free() {
        return turns.availablePermits();
    }

    /** How many wait for a turn now, about. */
    int waiting() {
        return turns.getQueueLength();
    }

    /** A request whose turn ends when more of its body has to come. */
    private static final class Read extends Request.Wrapper {
        private final Turn turn;

        Read(Request request, Turn turn) {
            super(request);
            this.turn = turn;
        }

        @Override
        public void demand(Runnable demandCallback) {
            turn.end();
            super.demand(demandCallback);
        }
    }

    /** An answer whose turn ends with each part that was written: what has to wait then is a thread that does no work. */
    private static final class Written extends Response.Wrapper {
        private final Turn turn;

        Written(Response response, Turn turn) {
            super(response.getRequest(), response);
            this.turn = turn;
        }

        @Override
        public void write(boolean last, ByteBuffer content, Callback callback) {
            super.write(last, content, callback); // does not wait, and may compress
            turn.end();
        }
    }
}
