package org.idallocator.zk.store;

import java.time.Duration;

/**
 * One session of a client with ZooKeeper. A client that has lost it connects on another.
 *
 * @param id its number, which no other session has
 * @param timeout how long ZooKeeper waits for the client before the session ends, as granted
 */
public record Session(long id, Duration timeout) {}
