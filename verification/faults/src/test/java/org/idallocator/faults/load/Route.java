package org.idallocator.faults.load;

import java.util.function.Function;

/** Which replica answers a request. */
public interface Route {

    /** Sends a request to one replica, or to one after the other, and says how it ended for the client. */
    Outcome send(Function<Target, Outcome> request);

    /** The track in which outcomes of this route are counted. */
    Track track();

    /** Always the same replica, once. */
    static Route to(Target target) {
        return new Route() {
            @Override
            public Outcome send(Function<Target, Outcome> request) {
                return request.apply(target);
            }

            @Override
            public Track track() {
                return target.track();
            }
        };
    }
}
