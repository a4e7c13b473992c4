package org.idallocator.zk.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.LocalServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is wrong in this program is not told as trouble with ZooKeeper. */
@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ProgramFaultTest {
    private static final String NO_PATH = "a path without its slash";

    @AutoClose
    private static final LocalServer SERVER = LocalServer.start();

    private final ZooKeeperSettings settings = ZooKeeperSettings.of(SERVER.connect());

    @AutoClose
    private final CuratorFramework curator = Clients.open(settings);

    private final Store store = CuratorStore.waiting(curator, settings);

    @BeforeEach
    void connect() {
        curator.start();
        var unused = store.session();
    }

    static Stream<Consumer<Store>> questions() {
        return Stream.of(
                store -> store.read(NO_PATH),
                store -> store.readAll(List.of(NO_PATH)),
                store -> store.children(NO_PATH),
                store -> store.ensure(NO_PATH),
                store -> store.worldMayWrite(NO_PATH),
                store -> store.send(Transaction.of(List.of(new Store.Op.Check(NO_PATH, 0)))));
    }

    @ParameterizedTest
    @MethodSource("questions")
    void shouldThrowAFaultOfThisProgramAsItIs(Consumer<Store> question) {
        assertThrows(IllegalArgumentException.class, () -> question.accept(store));
    }

    @ParameterizedTest
    @MethodSource("questions")
    void shouldSayThatNobodyAnswersWhereTheClientIsClosedMeanwhile(Consumer<Store> question) {
        curator.close();
        StoreException e = assertThrows(StoreException.class, () -> question.accept(store));
        assertEquals(StoreException.Kind.NO_ANSWER, e.kind());
    }
}
