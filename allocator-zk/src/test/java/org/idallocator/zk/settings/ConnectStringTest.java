package org.idallocator.zk.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses that ZooKeeper's client would take, only to look for hosts that do not exist. */
final class ConnectStringTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            http://zk1:2181        | leave out http://
            a:1;b:2                | hosts are separated by commas
            zk:70000               | a port is 1..65535: 70000
            zk:0                   | a port is 1..65535: 0
            zk:                    | a port is missing behind the colon
            zk:port                | a port is 1..65535: port
            'a:1, b:2'             | leave out the blanks
            'a:1,,b:2'             | a host is missing
            :2181                  | a host is missing
            ','                    | a host is missing
            /ids                   | a host is missing
            zk:2181/               | a chroot is a path such as /ids: /
            zk:2181//              | a chroot is a path such as /ids: //
            zk:2181/ids/           | a chroot is a path such as /ids: /ids/
            zk:2181/a//b           | a chroot is a path such as /ids: /a//b
            zk:2181/a/../b         | a chroot is a path such as /ids: /a/../b
            zk1:2181/ids,zk2:2181  | the chroot comes once, at the end
            zk:2181/zookeeper      | /zookeeper is ZooKeeper's own
            zk:2181/zookeeper/ids  | /zookeeper is ZooKeeper's own
            ::1                    | an IPv6 address is in brackets, as in [::1]:2181: ::1
            fe80::1:2181           | an IPv6 address is in brackets, as in [::1]:2181: fe80::1:2181
            [zk]:2181              | [zk] is no IPv6 address
            [::1:2181              | an IPv6 address is in brackets, as in [::1]:2181: [::1:2181
            [::1]:0                | a port is 1..65535: 0
            256.1.1.1:2181         | no host has this name: 256.1.1.1
            2181                   | no host has this name: 2181
            user@zk:2181           | leave out the user and password, which zookeeper.auth is for
            zk..example:2181       | no host has this name: zk..example
            """)
    void shouldSayWhatIsWrongWithAnAddress(String connect, String why) {
        assertEquals(Optional.of(why), ConnectString.mistake(connect));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zk",
                "zk:2181",
                "zk1:2181,zk2:2181,zk3:2181",
                "zk1,zk2:2182/ids/of/mine",
                "[::1]:2181",
                "[fe80::1],zk:1",
                "10.0.0.1:2181",
                "zk_1:2181",
                "zk-0.zk.default.svc.cluster.local.:2181",
                "zk:65535",
                "zk/zookeepers"
            })
    void shouldTakeAnAddress(String connect) {
        assertEquals(Optional.empty(), ConnectString.mistake(connect));
    }
}
