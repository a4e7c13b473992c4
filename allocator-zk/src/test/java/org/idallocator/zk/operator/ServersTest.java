package org.idallocator.zk.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.idallocator.zk.operator.ServerProbe.Answer;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The line about the ensemble's servers, where some serve and others do not. */
final class ServersTest {
    private static final String THREE = "server.1=a:2888:3888:participant;0.0.0.0:2181\n"
            + "server.2=b:2888:3888:participant;b:2181\nserver.3=c:2888:3888:participant;2181\nversion=0";
    private static final String FIVE = "server.1=a:2888:3888\nserver.2=b:2888:3888\nserver.3=c:2888:3888\n"
            + "server.4=d:2888:3888:observer;2181\nserver.5=[::1]:2888:3888;[::1]:2181\nversion=100000000";
    private static final String OBSERVED = THREE + "\nserver.4=d:2888:3888:observer;2181";
    private static final String ELSEWHERE =
            THREE.replaceAll("=([abc])", "=inner-$1").replace(";b:", ";inner-b:");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a           | a         |           | OK 1 of 1 server answers; there is no other
            a/ids       | a         |           | OK 1 of 1 server answers; there is no other
            a,b,c       | a,b,c     |           | OK 3 of 3 servers answer; 1 more may fail
            a:2181,b,c  | a,b,c     | THREE     | OK 3 of 3 servers answer; 1 more may fail
            a,b,c       | a,c       | THREE     | WARN 2 of 3 servers answer; none more may fail; b:2181 does not (away)
            a           | a,b,c     | THREE     | OK 3 of 3 servers answer; 1 more may fail
            a           | a,c       | THREE     | WARN 2 of 3 servers answer; none more may fail; b:2181 does not (away)
            a,b,c       | b         |           | WARN 1 of 3 servers answer; none more may fail; a:2181 does not (away), c:2181 does not (away)
            a,b         |           |           | FAIL 0 of 2 servers answer: a:2181 does not (away), b:2181 does not (away)
            a,[::1]     | a,[::1],d | FIVE      | OK 3 of 3 servers answer, of an ensemble of 4
            a           | a,b,c     | OBSERVED  | WARN 3 of 4 servers answer; 1 more may fail; d:2181 does not (away)
            a           | a,c,d     | OBSERVED  | WARN 3 of 4 servers answer; none more may fail; b:2181 does not (away)
            a           | a         | ELSEWHERE | OK 1 of 1 server answers, of an ensemble of 3
            """)
    void shouldSayWhichServersAnswerAndHowManyMoreMayFail(
            String connect, @Nullable String serving, @Nullable String configuration, String line) {
        assertEquals(
                line,
                line(
                        connect,
                        serving == null ? "" : serving,
                        Optional.ofNullable(configuration).map(ServersTest::named)));
    }

    private static String line(String connect, String serving, Optional<String> configuration) {
        List<String> up = Arrays.stream(serving.split(",", -1))
                .map(host -> host + ":2181")
                .toList();
        Checklist list = new Checklist(new Remedies(ZooKeeperSettings.of(connect)));
        Servers.look(
                connect, address -> up.contains(address) ? Answer.serving(configuration) : Answer.silent("away"), list);
        Check check = list.checks().get(0);
        assertEquals(check.result() == Check.Result.OK ? null : Remedies.startServers(), check.remedy());
        return check.result() + " " + check.seen();
    }

    private static String named(String name) {
        return switch (name) {
            case "THREE" -> THREE;
            case "FIVE" -> FIVE;
            case "OBSERVED" -> OBSERVED;
            case "ELSEWHERE" -> ELSEWHERE;
            default -> throw new IllegalArgumentException(name);
        };
    }
}
