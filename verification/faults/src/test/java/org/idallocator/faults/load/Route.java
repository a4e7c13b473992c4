package org.idallocator.faults.load;

import java.util.function.Function;

/** Which replica answers a request. */
public interface Route {

    /** Sends a request to one replica, or to one after the other, and says how it ended for the client. */
    Outcome send(Function<Target, Outcome> request);

    /** The track in which outcomes of this route are counted. */
    Track track();

    /** Whether somebody asks several replicas before a client has its answer, and the client waits for longer. */
    boolean balanced();

    /** Always the same replica, once. */
    static Route to(Target target) {
        return new Straight(target, false);
    }

    /** A load balancer that is a program of its own. */
    static Route through(Target loadBalancer) {
        return new Straight(loadBalancer, true);
    }

    /** Always the same address. */
    record Straight(Target target, boolean balanced) implements Route {
        @Override
        public Outcome send(Function<Target, Outcome> request) {
            return request.apply(target);
        }

        @Override
        public Track track() {
            return target.track();
        }
    }
}
