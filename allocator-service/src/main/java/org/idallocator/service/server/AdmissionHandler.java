package org.idallocator.service.server;

import java.util.Optional;
import java.util.function.Predicate;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.ids.Places;

/**
 * Bounds how many requests of the application port are in flight at a time. A request that waits for a permit of the
 * {@link PermitHandler} counts, too. A request beyond the bound is refused. Health checks are always let in.
 * Thread-safe; never waits.
 */
final class AdmissionHandler extends Handler.Wrapper {
    private final Places places;
    private final Predicate<String> exempt;
    private final Refusals refusals;

    /**
     * A handler that admits as many requests at a time as {@code ids} allows for {@link Limit#REQUESTS}.
     *
     * @param exempt tells of a path in the context whether its requests are always let in
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
        }
        Optional<Places.Place> place = places.take();
        if (place.isEmpty()) {
            refusals.refuseInTurn(Limit.REQUESTS, request, response, callback);
            return true;
        }
        Places.Place taken = place.get();
        try {
            return super.handle(request, response, new PlaceKeeper(taken, request, callback));
        } catch (Throwable e) { // Jetty refuses to tell of the end of a request that has ended already
            taken.close();
            throw e;
        }
    }

    /**
     * Keeps a request's place until the request ends. The request ends when whoever answers completes the callback, or
     * when Jetty says that it is over, whichever comes first. The place is given back before Jetty hears of the end, so
     * nothing that Jetty does then can keep the place.
     */
    private static final class PlaceKeeper extends Callback.Nested {
        private final Places.Place place;

        PlaceKeeper(Places.Place place, Request request, Callback callback) {
            super(callback);
            this.place = place;
            Request.addCompletionListener(request, failure -> place.close());
        }

        @Override
        public void succeeded() {
            place.close();
            super.succeeded();
        }

        @Override
        public void failed(Throwable why) {
            place.close();
            super.failed(why);
        }
    }
}
