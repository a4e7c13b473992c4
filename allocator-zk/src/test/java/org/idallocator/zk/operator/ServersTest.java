package org.idallocator.zk.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which addresses of the connect string give no session. */
final class ServersTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a             |             | OK 1 of 1 server answers
            a,b:9/ids     |             | OK 2 of 2 servers answer
            a:2181,b,c,a  | b:2181      | WARN 2 of 3 servers answer: b:2181 is away
            a,[::1]       | a:2181,[::1]:2181 | FAIL 0 of 2 servers answer: a:2181 is away, [::1]:2181 is away
            """)
    void shouldSayWhichServersGiveNoSession(String connect, @Nullable String silent, String said) {
        List<String> away = silent == null ? List.of() : List.of(silent.split(","));
        Finding found = new Servers(
                        ZooKeeperSettings.of(connect).servers(),
                        address -> Optional.of(address + " is away").filter(why -> away.contains(address)))
                .look("start it");

        assertEquals(said, found.result() + " " + found.seen());
        assertEquals(away.isEmpty() ? null : "start it", found.remedy());
    }
}
