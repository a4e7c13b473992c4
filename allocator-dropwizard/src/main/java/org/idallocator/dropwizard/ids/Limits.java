package org.idallocator.dropwizard.ids;

import java.time.Duration;

/**
 * How much is done at a time over HTTP. All beyond is refused at once, with a time after which to ask again, so that
 * what is not refused is answered soon. Immutable.
 *
 * @param streams how many answers of more than {@value IdRequest#LARGEST_WHOLE} IDs are sent at a time, of all schemes
 *     together; 1 or more
 * @param requests how many requests of the service's application port are answered at a time, but for health checks and
 *     single IDs that need not wait; 1 or more, and so few that the server has threads left
 * @param longestBatch how long a request for several IDs may take, as far as can be told when it comes; a request that
 *     nobody else competes with is not refused for that
 * @param bodies how many bodies of requests are read at a time; 1 or more
 * @param connections how many connections are open at a time, of all ports together; 1 or more
 * @param fields how many header fields a request has at most; 1 or more
 */
public record Limits(int streams, int requests, Duration longestBatch, int bodies, int connections, int fields) {
    /** The largest number of anything but connections. */
    public static final int MAX_LIMIT = 10_000;

    /** The largest number of connections. */
    public static final int MAX_CONNECTIONS = 1_000_000;

    /** How many fields there may be by default. */
    public static final int FIELDS = 100;

    /** How long a batch may take by default. */
    public static final Duration LONGEST_BATCH = Duration.ofSeconds(20);

    /** The most streams and bodies by default, of however large a heap. */
    private static final int MAX_USUAL_STREAMS = 64;

    private static final int MAX_USUAL_BODIES = 512;

    private static final int KIB = 1_024;

    /** A replica without clients takes 21 MB of heap, with a ZooKeeper inside. */
    static final long BYTES_WITHOUT_CLIENTS = 24 * KIB * KIB;

    /**
     * A request whose client reads nothing keeps its answer of up to {@value IdRequest#LARGEST_WHOLE} IDs, or what a
     * stream has drawn. The largest has 390 KB, and the garbage collector puts two of these into a region of 1 MiB.
     */
    static final long REQUEST_BYTES = 512 * KIB;

    /** A connection that has sent a head of 100 fields and 8 KiB, but for its end, takes 21 KB. */
    static final long CONNECTION_BYTES = 24 * KIB;

    /** A body of 8 KiB that came in parts is in an array of up to twice its length, and is copied out of that. */
    static final long BODY_BYTES = 24 * KIB;

    /**
     * What holds where nothing is configured. Whatever strangers do at the same time, they take no more of the heap
     * than there is: of what a replica without clients leaves, a half is for requests, a quarter for connections and a
     * sixteenth for bodies. The rest is for garbage.
     *
     * @param heapBytes the largest heap of the process
     * @param threads of the server, a quarter of which is for connectors and health checks
     */
    public static Limits usual(long heapBytes, int threads) {
        long forClients = heapBytes - BYTES_WITHOUT_CLIENTS;
        int requests = between1And(threads - threads / 4, forClients / 2 / REQUEST_BYTES);
        return new Limits(
                usualStreams(requests),
                requests,
                LONGEST_BATCH,
                between1And(MAX_USUAL_BODIES, forClients / 16 / BODY_BYTES),
                between1And(MAX_CONNECTIONS, forClients / 4 / CONNECTION_BYTES),
                FIELDS);
    }

    /**
     * How many of so many requests may be streams where nothing is configured: a third of them cannot, so that streams
     * keep nobody out.
     */
    public static int usualStreams(int requests) {
        return between1And(MAX_USUAL_STREAMS, requests - requests / 3);
    }

    private static int between1And(int most, long count) {
        return (int) Math.max(1, Math.min(most, count));
    }
}
