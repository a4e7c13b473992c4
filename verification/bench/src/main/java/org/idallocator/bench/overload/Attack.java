package org.idallocator.bench.overload;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;

/**
 * What many clients do at the same time.
 *
 * <p>Where the path has {@value #SLOT}, each request asks for another slot's.
 *
 * @param name in words
 * @param clients how many there are
 * @param door which port they ask
 * @param path what each of them asks for
 * @param sends how much of their requests they send
 * @param reads how much of the answers they read
 * @param zookeeper whether ZooKeeper answers meanwhile
 * @param heap of the replica
 */
record Attack(
        String name, int clients, Door door, String path, Sends sends, Reads reads, boolean zookeeper, Heap heap) {
    /** What stands in a path for the last twelve digits of a medallion, which number the slots of muid. */
    static final String SLOT = "{slot}";

    /** A byte less than a body may have. */
    private static final int MOST_OF_A_BODY = 8_191;

    /** Such that a head has somewhat less than 8 KiB. */
    private static final int FIELDS = 1_600;

    private static final int SLOW_BYTES_A_SECOND = 1_000_000;
    private static final int KIB = 1_024;
    private static final long SECOND_MILLIS = 1_000;

    /** How many rates there are at which clients drip: each is twice the one before. */
    private static final int RATES = 5;

    /** So many requests are written at a time, if the connection takes them. */
    private static final int AT_A_TIME = 1_000;

    /** How much heap there is. */
    enum Heap {
        LARGE("", "-Xmx512m"),
        /** Of the image in the container of docker-compose.yml, where Java chooses this collector. */
        OF_THE_IMAGE(", 72 MB", "-Xmx72m", "-XX:+UseSerialGC");

        private final String words;
        private final List<String> options;

        Heap(String words, String... options) {
            this.words = words;
            this.options = List.of(options);
        }

        /** As the JVM takes them. */
        List<String> options() {
            return options;
        }
    }

    /** The ports of the service. */
    enum Door {
        APPLICATION,
        ADMIN
    }

    /** How clients send. */
    enum Sends {
        /** Nothing at all. */
        NOTHING,
        /** A request, and the next one when that is answered. */
        ONE,
        /** A request, and the next one on a connection of its own. */
        ONE_A_CONNECTION,
        /** Requests one behind the other, as many as the connection takes, whatever is answered. */
        AHEAD,
        /** Half of a request's head. */
        HALF_A_HEAD,
        /** A request's head, and half of its body. */
        HALF_A_BODY,
        /** A request's head, and all but a byte of the largest body. */
        MOST_OF_A_BODY,
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
        /** Each for itself, 1, 2, 4, 8 or 16 KiB a second. */
        DRIPPING,
        /** Nothing; they connect anew every 25 seconds. */
        NOTHING,
        /** Nothing, for longer than the service waits for them; then they connect anew. */
        NOTHING_UNTIL_CUT_OFF
    }

    /** Clients that send whole requests, one after the other. */
    Attack(String name, int clients, String path, Reads reads) {
        this(name, clients, Door.APPLICATION, path, Sends.ONE, reads, true, Heap.LARGE);
    }

    /** Clients that send in another way, and read all that comes. */
    Attack(String name, int clients, String path, Sends sends) {
        this(name, clients, Door.APPLICATION, path, sends, Reads.ALL, true, Heap.LARGE);
    }

    /** The same while ZooKeeper does not answer. */
    Attack withoutZooKeeper() {
        return new Attack(name, clients, door, path, sends, reads, false, heap);
    }

    /** The same on the admin port. */
    Attack ofAdmin() {
        return new Attack(name, clients, Door.ADMIN, path, sends, reads, zookeeper, heap);
    }

    /** How many seconds the service waits for a client that does nothing. */
    int idleSeconds() {
        return reads == Reads.NOTHING_UNTIL_CUT_OFF ? 3 : 30;
    }

    /** After how many seconds clients that read nothing connect anew; all others never do. */
    OptionalInt reopenSeconds() {
        return switch (reads) {
            case ALL, SLOWLY, DRIPPING -> OptionalInt.empty();
            case NOTHING -> OptionalInt.of(25);
            case NOTHING_UNTIL_CUT_OFF -> OptionalInt.of(idleSeconds() + 1);
        };
    }

    /** The same by clients that read nothing and hold their connections. */
    Attack silent() {
        return new Attack(name, clients, door, path, sends, Reads.NOTHING, zookeeper, heap);
    }

    /** The same on a replica with another heap, which the name tells. */
    Attack on(Heap other) {
        return new Attack(name + other.words, clients, door, path, sends, reads, zookeeper, other);
    }

    /** Whether no two requests are the same. */
    boolean isEachDifferent() {
        return path.contains(SLOT);
    }

    /** What the request of this number, from 0 on, asks for. */
    String path(long number) {
        return path.replace(SLOT, "%012X".formatted(number));
    }

    /** What a client sends as the request of this number. */
    byte[] request(long number) {
        String get = "GET " + path(number) + " HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n";
        String text = switch (sends) {
            case NOTHING -> "";
            case ONE -> get;
            case ONE_A_CONNECTION -> get.replaceFirst("\r\nAccept", "\r\nConnection: close$0");
            case AHEAD -> get.repeat(AT_A_TIME);
            case HALF_A_HEAD -> get.substring(0, get.length() / 2);
            case HALF_A_BODY ->
                "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n"
                        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 14\r\n\r\ncount=3";
            case MOST_OF_A_BODY ->
                "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + (MOST_OF_A_BODY + 1) + "\r\n\r\n"
                        + "a".repeat(MOST_OF_A_BODY);
            case TINY_CHUNKS ->
                "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "1\r\na\r\n".repeat(MOST_OF_A_BODY);
            case TINY_FIELDS -> "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + "a:b\r\n".repeat(FIELDS);
        };
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Whether nothing can be asked on a connection behind the first request. */
    boolean connectsForEach() {
        return switch (sends) {
            case ONE, AHEAD -> false;
            case NOTHING, ONE_A_CONNECTION, HALF_A_HEAD, HALF_A_BODY, MOST_OF_A_BODY, TINY_CHUNKS, TINY_FIELDS -> true;
        };
    }

    /** Whether clients read some of what has come now and then. */
    boolean readsInParts() {
        return reads == Reads.SLOWLY || reads == Reads.DRIPPING;
    }

    /**
     * How many bytes such a client reads when it has looked so many milliseconds ago; clients are numbered from 0 on.
     */
    int bytesAtATime(int client, long millis) {
        long aSecond = reads == Reads.SLOWLY ? SLOW_BYTES_A_SECOND / clients : KIB << (client % RATES);
        return (int) Math.max(1, aSecond * millis / SECOND_MILLIS);
    }

    /** Whether IDs of this scheme are asked for, or what one of them says. */
    boolean isOf(String scheme) {
        return path.matches("/ids/" + scheme + "\\b.*");
    }
}
