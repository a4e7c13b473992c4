package org.idallocator.zk.operator;

import java.util.Optional;

/** Asks one of ZooKeeper's servers, on its own. May be called by several threads. */
@FunctionalInterface
interface ServerProbe {

    /**
     * What became of the question.
     *
     * @param trouble why the server serves no client, in a few words; empty where it does
     * @param configuration the ensemble's dynamic configuration, as ZooKeeper writes it; empty where the server does not tell
     */
    record Answer(Optional<String> trouble, Optional<String> configuration) {
        static Answer serving(Optional<String> configuration) {
            return new Answer(Optional.empty(), configuration);
        }

        static Answer silent(String trouble) {
            return new Answer(Optional.of(trouble), Optional.empty());
        }

        boolean serves() {
            return trouble.isEmpty();
        }
    }

    /** {@code address} is {@code host:port}. */
    Answer ask(String address);
}
