package org.idallocator.service.ids;

import java.time.Duration;

/**
 * How much is done at a time over HTTP. All beyond is refused at once, with a time after which to ask again, so that what is not
 * refused is answered soon. Immutable.
 *
 * @param streams how many answers of more than {@value IdRequest#LARGEST_WHOLE} IDs are sent at a time, of all schemes together; 1 or more
 * @param requests how many requests of the service's application port are answered at a time, but for health checks and single IDs that
 *     need not wait; 1 or more, and so few that the server has threads left
 * @param longestBatch how long a request for several IDs may take, as far as can be told when it comes; a request that nobody else
 *     competes with is not refused for that
 * @param bodies how many bodies of requests are read at a time; 1 or more
 * @param connections how many connections are open at a time, of all ports together; 1 or more
 * @param fields how many header fields a request has at most; 1 or more
 */
public record Limits(int streams, int requests, Duration longestBatch, int bodies, int connections, int fields) {
    /** The largest number of anything but connections. */
    public static final int MOST = 10_000;

    /** The largest number of connections. */
    public static final int MOST_CONNECTIONS = 1_000_000;

    /**
     * So much heap there is for each connection by default. One that has sent half a head, of as many fields and bytes as are
     * allowed, takes half of that, and a replica without clients takes a third of the image's heap.
     */
    private static final long HEAP_A_CONNECTION = 64 * 1_024;

    /** What holds where nothing is configured, and the server has as many threads as Dropwizard gives it. */
    public static final Limits DEFAULT = new Limits(64, 768, Duration.ofSeconds(20), 512, byHeap(), 100);

    private static int byHeap() {
        return (int) Math.min(MOST_CONNECTIONS, Runtime.getRuntime().maxMemory() / HEAP_A_CONNECTION);
    }
}
