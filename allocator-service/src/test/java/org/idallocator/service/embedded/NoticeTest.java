package org.idallocator.service.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.idallocator.service.testing.Said;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NoticeTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final Said said = new Said(Notice.class);

    @AfterEach
    void tearDown() {
        said.close();
    }

    private static void begin(DataDirectory data) throws IOException {
        Files.createDirectories(data.zookeeper());
        Notice.begin(data).identity().write(data);
    }

    /** A person has to see to what no process can: that nobody uses the original any more. */
    @Test
    void shouldWarnOnceThatADirectoryIsACopy() throws Exception {
        DataDirectory original = new DataDirectory(directory.resolve("original"));
        DataDirectory copy = new DataDirectory(directory.resolve("copy"));
        begin(original);
        begin(original);
        assertEquals(List.of(), said.lines());

        Files.createDirectories(copy.zookeeper());
        Files.copy(original.identity(), copy.identity());
        begin(copy);
        begin(copy);
        begin(original);
        assertEquals(
                List.of(copy
                        + " is a copy or a backup, because its data were written in another directory: IDs come twice if"
                        + " a process has run on the original since the copy was made; let none run there, and run"
                        + " fence-restore here before IDs are drawn. Nothing is to be done where nobody has copied"
                        + " anything, and disks have other numbers since a restart"),
                said.lines());
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 127.0.0.1:64884", "::1, [0:0:0:0:0:0:0:1]:64884"})
    void shouldTellAnAddressThatClientsTakeAndOthersRead(String host, String connect) throws Exception {
        assertEquals(connect, Address.connect(InetAddress.getByName(host), 64_884));
        assertEquals(64_884, new Address(1, connect, 1, "localhost", "x").port());
    }
}
