package org.idallocator.service.embedded;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.idallocator.zk.settings.Replica;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuestsTest {
    private static final String PID = Long.toString(Replica.local().pid());

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final List<Integer> halted = new CopyOnWriteArrayList<>();

    private DataDirectory data() {
        return new DataDirectory(directory.resolve("data"));
    }

    /** The port on which a ZooKeeper of the directory has served. */
    private int lastPort() throws IOException {
        EmbeddedZooKeeper.start(DirectoryLock.on(data().path()), 0, connect -> {})
                .close();
        return Identity.read(data()).orElseThrow().port();
    }

    private String refused(int port) {
        EmbeddedStartException refused = assertThrows(
                EmbeddedStartException.class,
                () -> EmbeddedZooKeeper.start(DirectoryLock.on(data().path()), port, connect -> {}, halted::add));
        return String.valueOf(refused.getMessage());
    }

    @Test
    void shouldCountThoseThatAreThereAndNoneThatWereKilled() throws IOException {
        assertEquals(List.of(), Guests.present(data()));
        Guests first = Guests.join(data());
        Path left = Files.createFile(data().guests().resolve("17-killed"));
        try (Guests second = Guests.join(data())) {
            assertEquals(List.of(PID, PID), Guests.present(data()), second::toString);
            first.close();
            assertEquals(List.of(PID), Guests.present(data()));

            Guests.tidy(data());
            assertFalse(Files.exists(left));
            assertEquals(List.of(PID), Guests.present(data()));
        }
        assertEquals(List.of(), Guests.present(data()));
    }

    @Test
    void shouldLeaveNobodyOnAPortThatAnotherProgramHasTaken() throws IOException {
        int port = lastPort();
        try (ServerSocket taken = new ServerSocket()) {
            taken.setReuseAddress(true);
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            try (Guests guest = Guests.join(data())) {
                assertEquals(
                        "another program listens on port " + port + ", but the ZooKeeper of " + data()
                                + " was on port " + port + ", where other processes still use it: " + PID
                                + "; free that port for it, or stop those processes first",
                        refused(0),
                        guest::toString);
            }
            try (EmbeddedZooKeeper elsewhere =
                    EmbeddedZooKeeper.start(DirectoryLock.on(data().path()), 0, connect -> {})) {
                assertNotEquals(Notice.connect(port), elsewhere.connect());
            }
        }
    }

    @Test
    void shouldLeaveNobodyBehindForAnotherConfiguredPort() throws IOException {
        int port = lastPort();
        int other = port == 61_000 ? 61_001 : 61_000;
        try (Guests guest = Guests.join(data())) {
            assertEquals(
                    "zookeeper.embedded.port is " + other + ", but the ZooKeeper of " + data() + " was on port " + port
                            + ", where other processes still use it: " + PID
                            + "; free that port for it, or stop those processes first",
                    refused(other),
                    guest::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "nonsense",
                "{}",
                "{'version':1,'connect':'127.0.0.1:0','pid':1,'host':'h','identity':'i'}",
                "{'version':1,'connect':'127.0.0.1:99999','pid':1,'host':'h','identity':'i'}",
                "{'version':1,'connect':'127.0.0.1:12345678901','pid':1,'host':'h','identity':'i'}",
                "{'version':1,'connect':'127.0.0.1','pid':1,'host':'h','identity':'i'}",
                "{'version':1,'connect':'127.0.0.1:1','pid':'x','host':'h','identity':'i'}",
                "\u0000\u0000\u00ff\u00ff"
            })
    void shouldTakeAMalformedAddressForNone(String content) throws IOException {
        Path file = Files.createDirectories(data().path()).resolve("server.json");
        Files.write(file, content.replace('\'', '"').getBytes(ISO_8859_1));

        assertEquals(Optional.empty(), JsonFile.read(file, Address.class));
    }
}
