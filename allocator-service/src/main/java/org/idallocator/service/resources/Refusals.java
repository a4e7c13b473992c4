package org.idallocator.service.resources;

import com.google.common.util.concurrent.MoreExecutors;
import java.io.IOException;
import java.util.concurrent.Executor;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.idallocator.service.problems.Refusal;
import org.idallocator.service.problems.ServerProblems;

/**
 * Answers those who are refused in front of the servlets. Requests that come on the selector's thread are refused one after the other,
 * on one thread of the pool: however many clients ask in vain, and again at once, others have the selector and the other threads.
 * Thread-safe.
 */
final class Refusals {
    private final Executor inTurn;

    /** {@code pool} gives the threads, one at a time. */
    Refusals(Executor pool) {
        inTurn = MoreExecutors.newSequentialExecutor(pool);
    }

    /** Answers with the refusal now or soon; {@code root} is what the routes are below, such as {@code /}. Does not wait. */
    void refuse(Refusal refusal, String root, Request request, Response response, Callback callback) {
        Runnable answer = () -> answer(refusal, root, request, response, callback);
        if (Invocable.isNonBlockingInvocation()) {
            HandOver.run(inTurn, request, callback, answer);
        } else {
            answer.run();
        }
    }

    private static void answer(Refusal refusal, String root, Request request, Response response, Callback callback) {
        try {
            ServerProblems.refuse(refusal, root, request, response, callback);
        } catch (IOException | RuntimeException e) {
            callback.failed(e);
        }
    }
}
