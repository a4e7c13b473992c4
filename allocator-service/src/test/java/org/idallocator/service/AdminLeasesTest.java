package org.idallocator.service;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.idallocator.service.testing.Http;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(SharedService.class)
class AdminLeasesTest {

    @Test
    void shouldShowTheSameLeaseInEveryList(RunningService service) {
        JsonNode held = held(service, "uid60");
        String slot = held.path("slot").asText();
        JsonNode one = service.admin().json("/leases/uid60/" + slot);

        assertAll(
                () -> assertEquals(
                        held.path("lease").path("nonce"), one.path("lease").path("nonce")),
                () -> assertTrue(service.admin()
                        .get("/leases/uid60")
                        .body()
                        .contains(held.path("lease").path("nonce").asText())),
                () -> assertTrue(service.admin()
                        .get("/leases")
                        .body()
                        .contains(held.path("lease").path("nonce").asText())));
    }

    @Test
    void shouldTakeASlotAwayFromTheTenureThatIsMeant(RunningService service) {
        JsonNode before = held(service, "eightbyte");
        String path = "/leases/eightbyte/" + before.path("slot").asText();
        String nonce = before.path("lease").path("nonce").asText();

        assertEquals(
                409,
                service.admin()
                        .send("DELETE", path + "?nonce=not-" + nonce, "*/*")
                        .statusCode());
        assertEquals(
                nonce, held(service, "eightbyte").path("lease").path("nonce").asText());
        assertEquals(
                200,
                service.admin().send("DELETE", path + "?nonce=" + nonce, "*/*").statusCode());
        await().until(() ->
                !held(service, "eightbyte").at("/lease/nonce").asText(nonce).equals(nonce));
        assertNotEquals(
                nonce, held(service, "eightbyte").path("lease").path("nonce").asText());
        assertEquals(
                409,
                service.admin().send("DELETE", path + "?nonce=" + nonce, "*/*").statusCode());
        service.awaitReady();
    }

    @Test
    void shouldCountThePools(RunningService service) {
        service.awaitReady();
        JsonNode pools = service.admin().json("/leases").path("pools");

        assertEquals(List.of("sno", "muid", "eightbyte", "uid60"), pools.findValuesAsText("scheme"));
        for (JsonNode pool : pools) {
            long sum = Stream.of("held", "free", "cooling", "retired", "unreadable")
                    .mapToLong(state -> pool.path(state).longValue())
                    .sum();
            assertEquals(pool.path("size").longValue(), sum, pool.toString());
        }
        assertEquals(1L << 48, pools.get(1).path("size").longValue());
        assertEquals(1, service.admin().json("/leases/uid60").path("pools").size());
    }

    @Test
    void shouldShowTheFleet(RunningService service) {
        service.awaitReady();
        JsonNode lease = held(service, "sno");
        JsonNode fleet = service.admin().json("/fleet");
        JsonNode member = fleet.path("members").get(0);

        assertEquals(service.admin().json("/leases").path("zookeeper"), fleet.path("zookeeper"));
        assertEquals(1, fleet.path("members").size(), fleet.toString());
        for (String word : List.of("instance", "host", "pid", "url", "session")) {
            assertEquals(lease.path("lease").get(word), member.get(word), word);
        }
        assertTrue(member.path("version").asText().matches("[0-9]+\\.[0-9]+\\..*"), member.toString());
        assertTrue(member.has("clockOffsetMillis"), member.toString());
        assertTrue(Instant.parse(member.path("since").asText())
                .isBefore(Instant.parse(lease.path("since").asText())));
        assertEquals(
                Set.of("sno", "muid", "eightbyte", "uid60"),
                Set.copyOf(member.path("slots").findValuesAsText("scheme")));
        assertTrue(member.path("slots")
                .findValuesAsText("slot")
                .contains(lease.path("slot").asText()));
        assertEquals(404, service.admin().status("/fleet/x"));
    }

    /** Whoever owns a name may have it lead to this machine; then the browser takes the page for one of this port. */
    @ParameterizedTest
    @CsvSource({
        "evil.example, 403",
        "localhost.evil.example, 403",
        "127.0.0.1.evil.example, 403",
        "localhost, 409",
        "LOCALHOST, 409",
        "127.0.0.1, 409",
        "[::1], 409",
        "OWN, 409"
    })
    void shouldTakeNothingAwayForAPageOfElsewhere(String name, int status, RunningService service)
            throws UnknownHostException {
        String host = (name.equals("OWN") ? InetAddress.getLocalHost().getHostName() : name) + ":8081";

        assertEquals(status, deleted(service, host, "http://" + host));
        assertEquals(403, deleted(service, host, "http://shop.example.com"));
    }

    private static int deleted(RunningService service, String host, String origin) {
        String answer = service.admin()
                .raw("DELETE /leases/eightbyte/63?nonce=x HTTP/1.1\r\nHost: " + host + "\r\nOrigin: " + origin
                        + "\r\nAuthorization: Bearer " + RunningService.TOKEN + "\r\nConnection: close\r\n\r\n");
        return Integer.parseInt(answer.split(" ", 3)[1]);
    }

    private static JsonNode held(RunningService service, String scheme) {
        for (JsonNode slot : service.admin().json("/leases/" + scheme).path("leases")) {
            if (slot.path("state").asText().equals("held")) {
                return slot;
            }
        }
        return MissingNode.getInstance();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET    | /leases/nope             | 404 | unknown scheme nope; known are sno, muid, eightbyte, uid60, gid
            GET    | /leases/gid              | 404 | scheme gid needs no slots; schemes with slots are sno, muid, eightbyte, uid60
            GET    | /leases/eightbyte/64     | 400 | slot must be 00..63: 64
            GET    | /leases/eightbyte/x      | 400 | slot must be 00..63: x
            GET    | /leases/eightbyte/001    | 400 | slot must be 00..63: 001
            GET    | /leases/eightbyte/01/x   | 404 | there is nothing below a slot
            DELETE | /leases/eightbyte        | 400 | DELETE takes /leases/{scheme}/{slot}
            DELETE | /leases/eightbyte/1      | 400 | nonce must be the holder's, as GET shows it: it is missing
            """)
    void shouldSayWhatIsWrong(String method, String path, int status, String detail, RunningService service) {
        HttpResponse<String> response = service.admin().send(method, path, "*/*");

        assertEquals(detail, Http.detail(response));
        assertEquals(status, response.statusCode());
    }

    @Test
    void shouldTakeASlotWithoutLeadingZeros(RunningService service) {
        JsonNode slot = service.admin().json("/leases/sno/4");

        assertEquals("0004", slot.path("slot").asText());
        assertEquals(service.admin().json("/leases/sno/0004").path("path"), slot.path("path"));
    }

    @Test
    void shouldSayThatNobodyHoldsTheSlotThatIsToBeTakenAway(RunningService service) {
        String held = held(service, "eightbyte").path("slot").asText();
        String free = held.equals("63") ? "62" : "63";

        HttpResponse<String> response = service.admin().send("DELETE", "/leases/eightbyte/" + free + "?nonce=x", "*/*");

        assertEquals("nobody holds the slot, and tenure x was not the last to hold it", Http.detail(response));
        assertEquals(409, response.statusCode());
    }
}
