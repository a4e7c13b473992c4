package org.idallocator.service.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnNamesTest {
    private final OwnNames names = new OwnNames(List.of("ids.example"));

    @ParameterizedTest
    @CsvSource({
        "localhost, true",
        "LOCALHOST:8081, true",
        "127.0.0.1:8081, true",
        "10.1.2.3, true",
        "[::1]:8081, true",
        "ids.example, true",
        "IDS.example:8081, true",
        "evil.example, false",
        "localhost.evil.example, false",
        "127.0.0.1.evil.example:8081, false",
        "xids.example, false",
        "ids.example.evil, false",
        "user@localhost, false",
        "localhost:8081:8081, false",
        "localhost:, false",
        "[localhost], false",
        "999.1.1.1, false",
        "1.2.3.256:8081, false",
        "255.249.199.0, true",
        "'', false"
    })
    void shouldBeThoseThatLeadHereByNobodysWill(String host, boolean own) {
        assertEquals(own, names.include(host));
    }

    @Test
    void shouldBeThoseOfTheMachine() throws UnknownHostException {
        assertTrue(names.include(InetAddress.getLocalHost().getHostName() + ":8081"));
        assertFalse(names.include(null), "HTTP/1.0 may come without a Host");
    }
}
