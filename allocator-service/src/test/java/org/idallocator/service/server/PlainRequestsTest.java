package org.idallocator.service.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.idallocator.dropwizard.http.CommonHeaders;
import org.idallocator.dropwizard.ids.IdListener;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.ids.Limits;
import org.idallocator.dropwizard.testing.ObedientSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests have an answer that was prepared. {@code ExpressTest} has what that answer is. */
class PlainRequestsTest {
    private static final IdListener NOBODY = new IdListener() {
        @Override
        public void issued(long ids) {}

        @Override
        public void waited(long nanos, boolean first) {}

        @Override
        public void failed(RuntimeException why) {}
    };

    private final PlainRequests requests = new PlainRequests(
            new IdService(
                    new ObedientSource(),
                    name -> NOBODY,
                    new Limits(1, 1, Duration.ofSeconds(1), 1, 1, 1),
                    limit -> {}),
            "/api",
            CommonHeaders.BY_ACCEPT);

    @Test
    void shouldPrepareAnAnswerWithItsHeaders() {
        PlainRequests.PreparedAnswer prepared = requests.answerTo("GET", "/api/ids/sno", HttpFields.EMPTY);

        assertNotNull(prepared);
        HttpFields.Mutable headers = HttpFields.build();
        prepared.putHeadersInto(headers);
        assertEquals("Accept", headers.get(HttpHeader.VARY));
        assertEquals("no-store", headers.get(HttpHeader.CACHE_CONTROL));
        assertEquals("text/plain", headers.get(HttpHeader.CONTENT_TYPE));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/ids/sno?form=hex",
        "GET, /api/ids/gid",
    })
    void shouldKnowEveryForm(String method, String target) {
        assertNotNull(requests.answerTo(method, target, HttpFields.EMPTY));
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /api/ids/sno",
        "HEAD, /api/ids/sno",
        "GET, /ids/sno",
        "GET, /api/ids/sno/",
        "GET, /api/ids/sno?count=1",
        "GET, /api/ids/sno?form=",
        "GET, /api/ids/other",
        "GET, ",
    })
    void shouldKnowNoOther(String method, String target) {
        assertNull(requests.answerTo(method, target, HttpFields.EMPTY));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Origin", "Expect", "Content-Length", "Content-Encoding", "Transfer-Encoding", "Accept-Charset"})
    void shouldKnowNoneWhoseHeadersChangeTheAnswer(String header) {
        assertNull(requests.answerTo("GET", "/api/ids/sno", HttpFields.build().add(header, "1")));
    }

    @Test
    void shouldKnowNoneOfTwoAccepts() {
        HttpFields.Mutable headers =
                HttpFields.build().add("Accept", "text/plain").add("Accept", "application/json");

        assertNull(requests.answerTo("GET", "/api/ids/sno", headers));
    }

    @ParameterizedTest
    @CsvSource({"User-Agent, curl/8", "Content-Length, 0", "Accept, application/json"})
    void shouldKnowThoseWhoseHeadersChangeNothing(String header, String value) {
        assertNotNull(
                requests.answerTo("GET", "/api/ids/sno", HttpFields.build().add(header, value)));
    }
}
