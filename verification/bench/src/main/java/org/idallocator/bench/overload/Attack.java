package org.idallocator.bench.overload;

/**
 * What many clients do at the same time.
 *
 * @param name in words
 * @param clients how many there are
 * @param path what each of them asks for
 * @param reads how much of the answers they read
 * @param zookeeper whether ZooKeeper answers meanwhile
 */
record Attack(String name, int clients, String path, Reads reads, boolean zookeeper) {
    private static final int SLOW_BYTES_A_SECOND = 1_000_000;
    private static final long SECOND_MILLIS = 1_000;

    /** How clients read. */
    enum Reads {
        /** All that comes, at once. */
        ALL,
        /** A megabyte a second, all clients together. */
        SLOWLY,
        /** Nothing; they connect anew every 25 seconds. */
        NOTHING
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
