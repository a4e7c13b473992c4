package org.idallocator.zk.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.LocalServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a client throws that is no answer of ZooKeeper's, callers are told that there was none. */
@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class NoAnswerTest {
    private static final String PATH = "/path";

    @AutoClose
    private static final LocalServer SERVER = LocalServer.start();

    private final ZooKeeperSettings settings = ZooKeeperSettings.of(SERVER.connect());

    static Stream<Consumer<Store>> questions() {
        return Stream.of(
                store -> store.read(PATH),
                store -> store.readAll(List.of(PATH)),
                store -> store.children(PATH),
                store -> store.ensure(PATH),
                store -> store.worldMayWrite(PATH),
                store -> store.send(Transaction.of(List.of(new Store.Op.Check(PATH, 0)))));
    }

    @ParameterizedTest
    @MethodSource("questions")
    void shouldSayThatNobodyAnswersWhereTheClientIsClosedMeanwhile(Consumer<Store> question) {
        CuratorFramework curator = Clients.open(settings);
        Store store = CuratorStore.waiting(curator, settings);
        curator.start();
        var unused = store.session();
        curator.close();

        assertNoAnswer(store, question);
    }

    /** ZooKeeper's own client reads this one, and throws a NumberFormatException. */
    @ParameterizedTest
    @MethodSource("questions")
    void shouldSayThatNobodyAnswersWhereAPropertyOfTheClientCannotBeRead(Consumer<Store> question) {
        ZooKeeperSettings bad = settings.withProperties(Map.of("zookeeper.request.timeout", "10s"));
        try (CuratorFramework curator = Clients.open(bad)) {
            Store store = CuratorStore.waiting(curator, bad);
            curator.start();

            assertNoAnswer(store, question);
        }
    }

    private static void assertNoAnswer(Store store, Consumer<Store> question) {
        StoreException e = assertThrows(StoreException.class, () -> question.accept(store));
        assertEquals(StoreException.Kind.NO_ANSWER, e.kind());
    }
}
