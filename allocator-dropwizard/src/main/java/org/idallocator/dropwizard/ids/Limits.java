package org.idallocator.dropwizard.ids;

import java.time.Duration;

/**
 * How much is done at a time over HTTP. Everything beyond is refused at once, with a time after which to ask again, so
 * that the rest is answered soon. Immutable.
 *
 * @param streams how many answers of more than {@value IdRequest#LARGEST_WHOLE} IDs are sent at a time, of all schemes
 *     together; 1 or more
 * @param requests how many requests of the service's application port are in progress at a time, not counting health
 *     checks and single IDs that need no waiting; 1 or more, and fewer than the server has threads
 * @param longestBatch how long a request for several IDs may take, as estimated when it comes; a request without
 *     competitors is never refused for this
 * @param bodies how many request bodies are read at a time; 1 or more
 * @param connections how many connections are open at a time, of all ports together; 1 or more
 * @param fields how many header fields a request has at most; 1 or more
 */
public record Limits(int streams, int requests, Duration longestBatch, int bodies, int connections, int fields) {
    /** The largest value of each limit but connections. */
    public static final int MAX_LIMIT = 10_000;

    /** The largest limit of connections. */
    public static final int MAX_CONNECTIONS = 1_000_000;

    /** The default limit of header fields. */
    public static final int FIELDS = 100;

    /** The default of the longest batch. */
    public static final Duration LONGEST_BATCH = Duration.ofSeconds(20);

    /** The largest default of streams, however large the heap. */
    private static final int MAX_USUAL_STREAMS = 64;

    private static final int MAX_USUAL_BODIES = 512;

    private static final int KIB = 1_024;

    /**
     * The heap of a replica without clients, in bytes, rounded up: it takes 21 MB, with an embedded ZooKeeper.
     * {@code bench.jar memory} measures a service at rest.
     */
    static final long BYTES_WITHOUT_CLIENTS = 24 * KIB * KIB;

    /**
     * The heap of a request, in bytes. If its client reads nothing, the request keeps its answer of up to
     * {@value IdRequest#LARGEST_WHOLE} IDs, or what a stream has drawn. The largest has 390 KB, as
     * {@code UsualLimitsTest} counts, and the garbage collector puts two of these into a region of 1 MiB.
     */
    static final long REQUEST_BYTES = 512 * KIB;

    /**
     * The heap of a connection, in bytes, rounded up: one that has sent all of a head of 100 fields and 8 KiB but its
     * end takes 21 KB. {@code SmallHeapFloodIT} sends such heads.
     */
    static final long CONNECTION_BYTES = 24 * KIB;

    /**
     * The heap of a body, in bytes: a body of 8 KiB that came in parts is in an array of up to twice its length, and is
     * copied out of that.
     */
    static final long BODY_BYTES = 24 * KIB;

    /**
     * The default limits. They keep clients from exhausting the heap, whatever strangers do at the same time. Of the
     * heap that a replica without clients leaves, a half is for requests, a quarter for connections and a sixteenth for
     * bodies. The rest is for garbage.
     *
     * @param heapBytes the largest heap of the process
     * @param threads the threads of the server, a quarter of which is for connectors and health checks
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
     * The default limit of streams for a limit of requests: at most two thirds of it, so that streams keep no other
     * request out.
     */
    public static int usualStreams(int requests) {
        return between1And(MAX_USUAL_STREAMS, requests - requests / 3);
    }

    private static int between1And(int most, long count) {
        return (int) Math.max(1, Math.min(most, count));
    }
}
