package org.idallocator.zk.store;

import java.time.Duration;
import java.util.List;
import org.idallocator.zk.store.SimulatedClient.Fault;

/** The simulation's client keeps the contract that the real one keeps, or simulations prove nothing. */
final class SimulatedClientTest extends StoreContract {
    private static final String SENDING = "multi";

    private final SimulatedZooKeeper zookeeper = new SimulatedZooKeeper(() -> 1_000, Duration.ofSeconds(10));
    private final SimulatedClient client = zookeeper.connect();
    private final SimulatedClient other = zookeeper.connect();

    @Override
    Store store() {
        return client;
    }

    @Override
    Store other() {
        return other;
    }

    @Override
    void loseNextRequest() {
        client.next(SENDING, Fault.REQUEST_LOST);
    }

    @Override
    void loseNextAnswer() {
        client.next(SENDING, Fault.ANSWER_LOST);
    }

    @Override
    void delayNextRequest() {
        client.next(SENDING, Fault.ABANDONED);
    }

    @Override
    void deliver() {
        zookeeper.onTheWay().remove(0).run();
    }

    @Override
    void endSession() {
        zookeeper.expire(client.believedSession());
        var unused = client.send(Transaction.of(List.of(Store.Op.Check.exists(ROOT))));
    }

    @Override
    Outcome sendAsSessionEnds(Transaction transaction) {
        zookeeper.expire(client.believedSession());
        return client.commit(transaction.on(client.session()));
    }

    @Override
    Outcome.Sent sendAsCredentialsAreRefused(Transaction transaction) {
        client.next(SENDING, Fault.REFUSED);
        return client.send(transaction);
    }

    @Override
    void forbid(String path) {
        zookeeper.forbid(path::equals);
    }
}
