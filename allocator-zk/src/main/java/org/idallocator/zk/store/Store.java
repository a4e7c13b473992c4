package org.idallocator.zk.store;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * The few operations of ZooKeeper that leases need. A transaction is sent once, so that its refusal can be believed;
 * what became of one whose answer is lost, callers find out by reading back. Whatever else is asked may be repeated
 * before it is answered.
 *
 * <p>Every call blocks for a bounded time and throws {@link StoreException} when it fails.
 */
public interface Store {
    /** The session that operations run on now; throws {@code NO_ANSWER} without a connection. */
    Session session();

    /**
     * A node; empty when there is none. The answer may be older than what other clients see, unless {@link #sync} came
     * before.
     */
    Optional<Node> read(String path);

    /**
     * The same of many nodes, in their order: that one may not be read is an answer, and the others are read all the
     * same. Whoever counts by them asks each {@link Answer} for its node, which throws then. A store may ask for all of
     * them together.
     */
    default List<Answer> readAll(List<String> paths) {
        return paths.stream().map(path -> Answer.of(path, () -> read(path))).toList();
    }

    /** The names of a node's children; none when there is no such node. */
    List<String> children(String path);

    /** The same of several nodes, in their order. A store may ask for all of them together. */
    default List<List<String>> childrenOfAll(List<String> paths) {
        return paths.stream().map(this::children).toList();
    }

    /**
     * Makes sure that a PERSISTENT node and its parents exist, and leaves their data as it is. Only the root is made
     * so: all that is made below the root depends on meta.
     */
    void ensure(String path);

    /**
     * Sends a transaction, once. A refusal is evidence: then none of it was applied, nor ever will be.
     *
     * @throws StoreException only where nothing was sent: there is no connection, or another session than the one that
     *     the transaction is to be sent on
     */
    Outcome.Sent send(Transaction transaction);

    /** The same; where the answer is lost, and the transaction has a witness, reading back tells, if it can. */
    default Outcome commit(Transaction transaction) {
        Outcome.Sent answer = send(transaction);
        return answer instanceof Outcome.Unknown lost ? new LostAnswer(this, transaction, lost).readBack() : answer;
    }

    /**
     * Takes the next numbers of a shared index, each of them nobody else's: those of EPHEMERAL_SEQUENTIAL children,
     * which are made and deleted again. A store may ask for all of them together. Throws
     * {@link ChangedMeanwhileException} where there is no such parent.
     */
    List<Long> takeIndexes(String parent, int count);

    /** Waits until this client's server knows all that was written before, so that later reads see it. */
    void sync(String path);

    /**
     * Has the store's listener called once for each of these nodes, when the node is made, changed or deleted. A store
     * may ask for all of them together.
     */
    void watch(List<String> paths);

    /** Whether anybody, without credentials, may change a node, make or delete its children, or say who may. */
    boolean worldMayWrite(String path);

    /**
     * A node's payload and state.
     *
     * @param version the version of the data; a node that is deleted and made again starts at 0 again
     * @param owner the session of an EPHEMERAL node; 0, as ZooKeeper has it, of one that lasts
     * @param childrenDeleted whether any child of the node was ever deleted, also one that was made again
     * @param leaderMillis when the data was last written, by the wall clock of ZooKeeper's leader at that transaction
     */
    record Node(String data, int version, long owner, boolean childrenDeleted, long leaderMillis) {

        /** Whether the node ends with a session. */
        public boolean isEphemeral() {
            return owner != 0;
        }
    }

    /** What came of a question for one of many nodes. */
    sealed interface Answer {

        /** There is a node. */
        record There(Node node) implements Answer {
            @Override
            public Optional<Node> readable() {
                return Optional.of(node);
            }
        }

        /** There is none. */
        record Missing() implements Answer {}

        /**
         * There is a node, and this client may not read it.
         *
         * @param trouble {@code NO_PERMISSION}, naming the node
         */
        record Forbidden(StoreException trouble) implements Answer {
            @Override
            public Optional<StoreException> forbidden() {
                return Optional.of(trouble);
            }
        }

        /** The node, for who only looks: empty where there is none, and where it may not be read. */
        default Optional<Node> readable() {
            return Optional.empty();
        }

        /** {@code NO_PERMISSION}, naming the node, where it is there and may not be read; else empty. */
        default Optional<StoreException> forbidden() {
            return Optional.empty();
        }

        /** The node; empty where there is none. Throws {@code NO_PERMISSION} where it may not be read. */
        default Optional<Node> get() {
            forbidden().ifPresent(why -> {
                throw why;
            });
            return readable();
        }

        /** What came of this question for the node at a path. Throws what is no answer, as the question does. */
        static Answer of(String path, Supplier<Optional<Node>> question) {
            try {
                return question.get().<Answer>map(There::new).orElse(new Missing());
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.NO_PERMISSION) {
                    throw e;
                }
                return new Forbidden(new StoreException(e.kind(), path + " may not be read by this client", e));
            }
        }
    }

    /** What a write left behind: the node's version, and the ZooKeeper leader's wall clock. */
    record Written(int version, long leaderMillis) {}

    /** One operation of a {@link Transaction}, told by what holds once the transaction was applied. */
    sealed interface Op {
        String path();

        /** The version that the node's data has right after this; empty where that is not known before. */
        default OptionalInt leaves() {
            return OptionalInt.empty();
        }

        /**
         * The node exists and its data has this version; empty where any will do. A node that was deleted and made
         * again may have it, too.
         */
        record Check(String path, OptionalInt version) implements Op {
            public Check(String path, int version) {
                this(path, OptionalInt.of(version));
            }

            /** The node exists, whatever its version. */
            public static Check exists(String path) {
                return new Check(path, OptionalInt.empty());
            }
        }

        /** The node did not exist and does now; an ephemeral one ends with the session. */
        record Create(String path, String data, boolean ephemeral) implements Op {
            /** A node that lasts. */
            public static Create persistent(String path, String data) {
                return new Create(path, data, false);
            }

            /** One that lasts and holds nothing, but may have children. */
            public static Create persistent(String path) {
                return persistent(path, "");
            }

            /** A node that ends with the session. */
            public static Create ephemeral(String path, String data) {
                return new Create(path, data, true);
            }

            @Override
            public OptionalInt leaves() {
                return OptionalInt.of(0);
            }
        }

        /** The node's data had this version, where one is given, and is now this. */
        record Write(String path, String data, OptionalInt version) implements Op {
            public Write(String path, String data, int version) {
                this(path, data, OptionalInt.of(version));
            }

            /** The node's data is now this, whatever its version was. */
            public static Write whateverVersion(String path, String data) {
                return new Write(path, data, OptionalInt.empty());
            }

            @Override
            public OptionalInt leaves() {
                return version.isPresent() ? OptionalInt.of(version.getAsInt() + 1) : OptionalInt.empty();
            }
        }

        /** The node's data had this version, where one is given, and the node is gone. */
        record Delete(String path, OptionalInt version) implements Op {
            public Delete(String path, int version) {
                this(path, OptionalInt.of(version));
            }

            /** The node is gone, whatever its version was. */
            public static Delete whateverVersion(String path) {
                return new Delete(path, OptionalInt.empty());
            }
        }
    }
}
