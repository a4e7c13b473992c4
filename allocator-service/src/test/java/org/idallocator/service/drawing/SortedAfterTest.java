package org.idallocator.service.drawing;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.id.VolumeId;
import org.idallocator.core.scheme.GidScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.dropwizard.decode.Forms;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** IDs that sort after one that was seen, in every scheme that sorts by time, and what is refused. */
@ExtendWith(SharedService.class)
class SortedAfterTest {
    private static final int SOME = 10;
    private static final int STREAMED = 20_000;

    private static List<Scheme<?>> sorted() {
        return Schemes.all().stream().filter(Scheme::sortsByTime).toList();
    }

    static Stream<Arguments> forms() {
        return sorted().stream().flatMap(scheme -> Forms.all(scheme).stream().map(form -> Arguments.of(scheme, form)));
    }

    /**
     * An ID that is a little ahead, after which no other of its tick sorts: whoever overlooks it gets a lesser one. Of
     * uid60, one of the last second, as a second is long.
     */
    private static <T extends Id> T seen(Scheme<T> scheme) {
        Instant soon = Instant.now().plusMillis(50);
        Id last = switch (scheme.name()) {
            case SnoScheme.NAME -> Sno.last(soon);
            case MuidScheme.NAME -> Muid.last(soon);
            case GidScheme.NAME -> VolumeId.last(soon);
            default -> Uid60.last(soon.minusSeconds(1));
        };
        return scheme.type().reader().of(last.high(), last.low());
    }

    private static boolean sortsAfter(Id later, Id seen) {
        int high = Long.compareUnsigned(later.high(), seen.high());
        return high != 0 ? high > 0 : Long.compareUnsigned(later.low(), seen.low()) > 0;
    }

    private static void assertSortAfter(Id seen, int count, Stream<? extends Id> ids) {
        List<? extends Id> all = ids.toList();
        assertEquals(count, all.size());
        all.forEach(id -> assertTrue(sortsAfter(id, seen), () -> id + " after " + seen));
    }

    @ParameterizedTest
    @MethodSource("forms")
    <T extends Id> void shouldSortAfterWhatWasSeenInEveryForm(Scheme<T> scheme, Form<T> form, RunningService service) {
        String path = "/ids/" + scheme.name() + "?form=" + form.name();
        T seen = seen(scheme);
        String one = service.app().get(path + after(form, seen)).body().strip();
        assertSortAfter(seen, 1, Stream.of(form.parse().apply(one)));

        T seenThen = seen(scheme);
        JsonNode list = service.app().json(path + after(form, seenThen) + "&count=" + SOME);
        assertSortAfter(
                seenThen,
                SOME,
                list.path("ids").valueStream().map(JsonNode::textValue).map(form.parse()));

        T seenLast = seen(scheme);
        HttpResponse<String> posted = service.app()
                .send(service.app()
                        .request(path)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(after(form, seenLast).substring(1))));
        assertSortAfter(seenLast, 1, Stream.of(form.parse().apply(posted.body().strip())));
        assertEquals(
                200,
                service.app()
                        .send("HEAD", path + after(form, seenLast), "text/plain")
                        .statusCode());
    }

    private static <T extends Id> String after(Form<T> form, T seen) {
        return "&after=" + form.write().apply(seen);
    }

    /** Answers that are streamed. */
    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-ndjson"})
    void shouldSortAfterWhatWasSeenToTheEndOfAStream(String accept, RunningService service) {
        Sno seen = seen(new SnoScheme(0, 256, 4));
        String path = "/ids/sno?count=" + STREAMED + "&metabyte=0&after=" + seen;
        HttpResponse<String> answer = service.app().get(path, accept);

        assertSortAfter(seen, STREAMED, answer.body().lines().map(line -> Sno.parse(line.replace("\"", ""))));
    }

    @Test
    void shouldHaveATransactionSortAfterWhatWasSeenAsAWhole(RunningService service) {
        Muid seen = seen(new MuidScheme());
        String path = "/ids/muid?transaction=true&count=" + STREAMED + "&after=" + seen;
        List<Muid> ids = service.app().get(path).body().lines().map(Muid::parse).toList();

        assertSortAfter(seen, STREAMED + 1, ids.stream());
        assertEquals(1, ids.stream().map(Muid::transaction).distinct().count());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&count=10", "&count=20000"})
    void shouldRefuseWhatNoReplicaCanHaveMade(String more, RunningService service) {
        double refused = refused("too-far-ahead", service);
        Instant time = Instant.now().plus(Duration.ofHours(1));
        HttpResponse<String> answer = service.app().get("/ids/sno?after=" + Sno.first(time) + more);

        assertAll(
                () -> assertEquals(409, answer.statusCode(), answer.body()),
                () -> assertEquals("", Http.header(answer, "Retry-After")),
                () -> assertEquals(
                        "urn:id-allocator:too-far-ahead",
                        Http.json(answer).path("type").asText()),
                () -> assertEquals(
                        "/problems/too-far-ahead",
                        Http.json(answer).path("help").asText()),
                () -> assertTrue(
                        Http.detail(answer).contains(Sno.first(time).time().toString()), answer.body()),
                () -> assertEquals(refused + 1, refused("too-far-ahead", service)));
    }

    private static double refused(String reason, RunningService service) {
        return service.metric("id_allocator_draws_refused_total{reason=\"" + reason + "\",scheme=\"sno\"}");
    }
}
