package org.idallocator.faults.scene;

import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All lines of one replica to ZooKeeper: they can be shut, in either direction, and lose an answer. Thread-safe. */
public final class Network implements AutoCloseable {
    private final Gate requests = new Gate();
    private final Gate answers = new Gate();
    private final AtomicReference<@Nullable Step> doomed = new AtomicReference<>();
    private final AtomicInteger lost = new AtomicInteger();
    private final List<Line> lines;

    /** To these servers, {@code host:port} each. */
    Network(List<String> servers) {
        lines = servers.stream().map(server -> new Line(this, server)).toList();
    }

    /** What is shut. */
    public enum Direction {
        BOTH,
        REQUESTS,
        ANSWERS
    }

    /** What the replica connects to. */
    String connectString() {
        return lines.stream().map(Line::address).collect(Collectors.joining(","));
    }

    /** From when this returns, nothing passes in that direction, and no connection breaks. */
    public void shut(Direction direction) {
        if (direction != Direction.ANSWERS) {
            requests.shut();
        }
        if (direction != Direction.REQUESTS) {
            answers.shut();
        }
    }

    /** Everything passes, beginning with what was held back. */
    public void heal() {
        requests.open();
        answers.open();
    }

    /**
     * The next transaction of this kind reaches ZooKeeper; its answer does not come back, and its connection breaks.
     */
    public void loseAnswer(Step step) {
        doomed.set(step);
    }

    /** How many answers were lost. */
    public int lost() {
        return lost.get();
    }

    Gate requests() {
        return requests;
    }

    void awaitHealed() {
        try {
            requests.await();
            answers.await();
        } catch (IOException e) {
            // interrupted: the line is going
        }
    }

    Conversation conversation() {
        return new Conversation();
    }

    /** One connection: knows which answer is to be lost. */
    final class Conversation {
        private final AtomicReference<@Nullable Integer> losing = new AtomicReference<>();
        private boolean greeted;

        /** The first request of a connection is its greeting. */
        void request(DataOutputStream out, byte[] frame) throws IOException {
            Step wanted = doomed.get();
            if (greeted
                    && wanted != null
                    && Step.of(frame).equals(Optional.of(wanted))
                    && doomed.compareAndSet(wanted, null)) {
                losing.set(Step.xid(frame));
            }
            greeted = true;
            requests.pass(out, frame);
        }

        void answer(DataOutputStream out, byte[] frame) throws IOException {
            Integer xid = losing.get();
            if (xid != null && Step.xid(frame) == xid) {
                lost.incrementAndGet();
                throw new EOFException("lost on purpose");
            }
            answers.pass(out, frame);
        }
    }

    @Override
    public void close() {
        heal();
        lines.forEach(Line::close);
    }
}
