package org.idallocator.service.server;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.ids.Places;

/**
 * Lets so many of the application's requests be in flight at a time, those that wait for a permit too; the others are
 * refused. Health checks are let in always. Thread-safe; never waits.
 */
final class AdmissionHandler extends Handler.Wrapper {
    private final Places places;
    private final Predicate<String> exempt;
    private final Refusals refusals;

    /**
     * An admission of as many requests as {@code ids} has for a limit.
     *
     * @param exempt whether requests of a path in the context are let in always
     */
    AdmissionHandler(IdService ids, Predicate<String> exempt, Refusals refusals) {
        places = ids.places(Limit.REQUESTS);
        this.exempt = exempt;
        this.refusals = refusals;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (exempt.test(Request.getPathInContext(request))) {
            return super.handle(request, response, callback);
        } else if (places.take()) {
            return super.handle(request, response, new Place(request, callback));
        }
        refusals.refuse(Limit.REQUESTS, request, response, callback);
        return true;
    }

    /**
     * The place of a request, until it ends, as whoever answers sees it, or as Jetty does. It is given back before
     * Jetty hears of the end, so that nothing that Jetty does then can keep it.
     */
    private final class Place extends Callback.Nested {
        private final AtomicBoolean taken = new AtomicBoolean(true);

        Place(Request request, Callback callback) {
            super(callback);
            Request.addCompletionListener(request, failure -> giveBack());
        }

        private void giveBack() {
            if (taken.getAndSet(false)) {
                places.giveBack();
            }
        }

        @Override
        public void succeeded() {
            giveBack();
            super.succeeded();
        }

        @Override
        public void failed(Throwable why) {
            giveBack();
            super.failed(why);
        }
    }
}
