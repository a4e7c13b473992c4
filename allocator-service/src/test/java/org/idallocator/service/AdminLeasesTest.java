package org.idallocator.service;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.time.Duration;
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
                () -> assertEquals(held.path("nonce"), one.path("lease").path("nonce")),
                () -> assertTrue(service.admin()
                        .get("/leases/uid60")
                        .body()
                        .contains(held.path("nonce").asText())),
                () -> assertTrue(service.admin()
                        .get("/leases")
                        .body()
                        .contains(held.path("nonce").asText())));
    }

    @Test
    void shouldTakeASlotAwayFromTheTenureThatIsMeant(RunningService service) {
        JsonNode before = held(service, "eightbyte");
        String path = "/leases/eightbyte/" + before.path("slot").asText();
        String nonce = before.path("nonce").asText();

        assertEquals(
                409,
                service.admin()
                        .send("DELETE", path + "?nonce=not-" + nonce, "*/*")
                        .statusCode());
        assertEquals(nonce, held(service, "eightbyte").path("nonce").asText());
        assertEquals(
                200,
                service.admin().send("DELETE", path + "?nonce=" + nonce, "*/*").statusCode());
        await().atMost(Duration.ofSeconds(20))
                .until(() ->
                        !held(service, "eightbyte").path("nonce").asText(nonce).equals(nonce));
        assertNotEquals(nonce, held(service, "eightbyte").path("nonce").asText());
        assertEquals(
                409,
                service.admin().send("DELETE", path + "?nonce=" + nonce, "*/*").statusCode());
        service.awaitReady();
    }

    private static JsonNode held(RunningService service, String scheme) {
        for (JsonNode lease : service.app().json("/leases").path("leases")) {
            if (lease.path("scheme").asText().equals(scheme)) {
                return lease;
            }
        }
        return Http.json(service.app().get("/leases")).path("none");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET    | /leases/nope             | 404 | unknown scheme nope; known are sno, muid, eightbyte, uid60, gid
            GET    | /leases/gid              | 404 | scheme gid needs no slots; schemes with slots are sno, muid, eightbyte, uid60
            GET    | /leases/eightbyte/64     | 400 | slot must be 00..63: 64
            GET    | /leases/eightbyte/1      | 400 | slot must be 00..63: 1
            GET    | /leases/eightbyte/01/x   | 404 | there is nothing below a slot
            DELETE | /leases/eightbyte        | 400 | DELETE takes /leases/{scheme}/{slot}
            DELETE | /leases/eightbyte/01     | 400 | nonce must be the holder's, as GET shows it: it is missing
            DELETE | /leases/eightbyte/63?nonce=x | 409 | tenure x had left the slot already
            """)
    void shouldSayWhatIsWrong(String method, String path, int status, String detail, RunningService service) {
        HttpResponse<String> response = service.admin().send(method, path, "*/*");

        assertEquals(detail, Http.json(response).path("detail").asText());
        assertEquals(status, response.statusCode());
    }
}
