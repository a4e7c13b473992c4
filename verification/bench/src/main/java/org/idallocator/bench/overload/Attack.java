package org.idallocator.bench.overload;

import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/**
 * What many clients do at the same time.
 *
 * @param name in words
 * @param clients how many there are
 * @param path what each of them asks for
 * @param sends how much of their requests they send
 * @param reads how much of the answers they read
 * @param zookeeper whether ZooKeeper answers meanwhile
 * @param heap the heap of the replica, as {@code -Xmx} takes it
 */
record Attack(String name, int clients, String path, Sends sends, Reads reads, boolean zookeeper, String heap) {
    /** The heap of all attacks that are about something else. */
    private static final String LARGE = "512m";

    /** The heap of the image in the container of docker-compose.yml. */
    private static final String OF_THE_IMAGE = "72m";

    /** A byte less than a body may have. */
    private static final int CHUNKS = 8_191;

    /** Such that a head has somewhat less than 8 KiB. */
    private static final int FIELDS = 1_600;

    private static final int SLOW_BYTES_A_SECOND = 1_000_000;
    private static final long SECOND_MILLIS = 1_000;

    /** So many requests are written at a time, if the connection takes them. */
    private static final int AT_A_TIME = 1_000;

    /** How clients send. */
    enum Sends {
        /** A request, and the next one when that is answered. */
        ONE,
        /** Requests one behind the other, as many as the connection takes, whatever is answered. */
        AHEAD,
        /** Half of a request's head. */
        HALF_A_HEAD,
        /** A request's head, and half of its body. */
        HALF_A_BODY,
        /** Most of a body, in chunks of one byte. */
        TINY_CHUNKS,
        /** Most of a head, in fields of five bytes. */
        TINY_FIELDS
    }

    /** How clients read. */
    enum Reads {
        /** All that comes, at once. */
        ALL,
        /** A megabyte a second, all clients together. */
        SLOWLY,
        /** Nothing; they connect anew every 25 seconds. */
        NOTHING,
        /** Nothing, for longer than the service waits for them; then they connect anew. */
        NOTHING_UNTIL_CUT_OFF
    }

    /** Clients that send whole requests, one after the other. */
    Attack(String name, int clients, String path, Reads reads) {
        this(name, clients, path, Sends.ONE, reads, true, LARGE);
    }

    /** Clients that send in another way, and read all that comes. */
    Attack(String name, int clients, String path, Sends sends) {
        this(name, clients, path, sends, Reads.ALL, true, LARGE);
    }

    /** The same while ZooKeeper does not answer. */
    Attack withoutZooKeeper() {
        return new Attack(name, clients, path, sends, reads, false, heap);
    }

    /** How many seconds the service waits for a client that does nothing. */
    int idleSeconds() {
        return reads == Reads.NOTHING_UNTIL_CUT_OFF ? 3 : 30;
    }

    /** After how many seconds clients that read nothing connect anew; all others never do. */
    OptionalInt reopenSeconds() {
        return switch (reads) {
            case ALL, SLOWLY -> OptionalInt.empty();
            case NOTHING -> OptionalInt.of(25);
            case NOTHING_UNTIL_CUT_OFF -> OptionalInt.of(idleSeconds() + 1);
        };
    }

    /** The same by clients that read nothing and hold their connections, on a replica with the heap of the image. */
    Attack silent() {
        return new Attack(name, clients, path, sends, Reads.NOTHING, zookeeper, OF_THE_IMAGE);
    }

    /** What a client sends, each time. */
    byte[] request() {
        String get = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n";
        String text = switch (sends) {
            case ONE -> get;
            case AHEAD -> get.repeat(AT_A_TIME);
            case HALF_A_HEAD -> get.substring(0, get.length() / 2);
            case HALF_A_BODY ->
                "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n"
                        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 14\r\n\r\ncount=3";
            case TINY_CHUNKS ->
                "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "1\r\na\r\n".repeat(CHUNKS);
            case TINY_FIELDS -> "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + "a:b\r\n".repeat(FIELDS);
        };
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Whether the rest of a request never comes, so that nothing can be asked behind it. */
    boolean breaksOff() {
        return switch (sends) {
            case ONE, AHEAD -> false;
            case HALF_A_HEAD, HALF_A_BODY, TINY_CHUNKS, TINY_FIELDS -> true;
        };
    }

    /** How many bytes a slow client reads each time, when it looks after so many milliseconds. */
    int bytesAtATime(long millis) {
        return (int) Math.max(1, SLOW_BYTES_A_SECOND * millis / SECOND_MILLIS / clients);
    }

    /** The scheme that is asked for. */
    String scheme() {
        return path.split("[/?]", -1)[2];
    }
}
