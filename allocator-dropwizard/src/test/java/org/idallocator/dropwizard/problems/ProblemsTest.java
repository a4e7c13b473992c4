package org.idallocator.dropwizard.problems;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.InternalServerErrorException;
import jakarta.ws.rs.NotAcceptableException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpException;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.testing.Said;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ProblemsTest {
    private static final Duration SOON = Duration.ofMillis(4);

    private final Said said = new Said(Problems.class, Level.DEBUG);

    @AfterEach
    void listenNoLonger() {
        said.close();
    }

    private List<Level> levels() {
        return said.events().stream().map(ILoggingEvent::getLevel).toList();
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of(new ApiException(ProblemType.BAD_REQUEST, "count must be 1..5: 6"), 400),
                Arguments.of(unknownScheme(), 404),
                Arguments.of(new HttpException.RuntimeException(400, "Unable to parse URI query"), 400),
                Arguments.of(new HttpException.RuntimeException(413, "too large"), 413),
                Arguments.of(new FencedException(FenceReason.DEADLINE_PASSED, "late", SOON), 503),
                Arguments.of(new FencedException(FenceReason.CLOSED, "closed", SOON), 503),
                Arguments.of(new OverCapacityException("too many", SOON), 503));
    }

    private static RuntimeException unknownScheme() {
        try {
            throw new AssertionError(Schemes.named("nope", Schemes.all()).name());
        } catch (IllegalArgumentException e) {
            return e;
        }
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void shouldTellQuietlyWhatIsAnAnswer(RuntimeException error, int status) {
        assertEquals(status, Problems.logAndDescribe(error).status());
        assertEquals(List.of(Level.DEBUG), levels());
        assertNotNull(said.events().get(0).getThrowableProxy());
    }

    @Test
    void shouldTellTheWordsOfAFilterWhereItHasAny() {
        assertEquals(
                "no tenant may draw now",
                Problems.logAndDescribe(new ForbiddenException("no tenant may draw now"))
                        .detail());
        assertEquals(
                "HTTP 403 Forbidden",
                Problems.logAndDescribe(new ForbiddenException()).detail());
        assertFalse(Problems.logAndDescribe(new InternalServerErrorException("a secret"))
                .detail()
                .contains("secret"));
    }

    /** As Jetty refuses, once the ports are closed, what comes on connections that are still open. */
    @Test
    void shouldSayThatTheReplicaStopsWhereTheWebServerRefusesAllRequests() {
        Problem problem = Problems.ofStatus(503, "Service Unavailable");

        assertEquals("this replica stops; ask another", problem.detail());
        assertEquals(503, problem.status());
    }

    @Test
    void shouldGiveATimeToAskAgainUnlessThatNeverHelps() {
        FencedException late = new FencedException(FenceReason.DEADLINE_PASSED, "late", SOON);
        FencedException closed = new FencedException(FenceReason.CLOSED, "closed", SOON);

        assertEquals(OptionalLong.of(1), Problems.logAndDescribe(late).retryAfter());
        assertEquals(OptionalLong.empty(), Problems.logAndDescribe(closed).retryAfter());
        assertEquals("closed", Problems.logAndDescribe(closed).reason());
        assertEquals(
                "/api/problems/closed",
                Problems.logAndDescribe(closed).withHelp("/api/").help());
    }

    /** What the web server says of itself, and what is the program's own mistake. */
    @Test
    void shouldTellLoudlyAndInNoAnswerWhatFails() {
        for (RuntimeException error :
                List.of(new HttpException.RuntimeException(500, "a secret"), new IllegalStateException("a secret"))) {
            Problem problem = Problems.logAndDescribe(error);
            assertEquals(500, problem.status());
            assertEquals("the request failed for a reason that the log tells", problem.detail());
        }

        assertEquals(List.of(Level.ERROR, Level.ERROR), levels());
        assertEquals("a secret", said.events().get(1).getThrowableProxy().getMessage());
    }

    /** A library throws the same for its own mistakes, in words that no client understands. */
    @Test
    void shouldTakeForTheClientsMistakeOnlyWhatIsSaidOfItsText() {
        BadValueException bad = new BadValueException("count", "must be 1..5: 6");
        IllegalArgumentException other = new IllegalArgumentException("a secret");

        ApiException refused = assertThrows(ApiException.class, () -> Problems.asBadRequest(() -> throwing(bad)));
        assertEquals(ProblemType.BAD_REQUEST, refused.type());
        assertEquals("count must be 1..5: 6", refused.getMessage());
        assertSame(
                other,
                assertThrows(IllegalArgumentException.class, () -> Problems.asBadRequest(() -> throwing(other))));
    }

    private static String throwing(RuntimeException error) {
        throw error;
    }

    /**
     * Programs that compare types need not care who has refused a request: a route, a handler, the web server or
     * Jersey.
     */
    @ParameterizedTest
    @EnumSource(
            value = ProblemType.class,
            names = {
                "CLIENT_GONE",
                "BUSY",
                "OVER_CAPACITY",
                "AHEAD",
                "TOO_FAR_AHEAD",
                "FENCED",
                "NO_FREE_SLOT",
                "CLOCK_SKEW",
                "UNREACHABLE"
            },
            mode = EnumSource.Mode.EXCLUDE)
    void shouldNameAStatusAsTheWebServerDoes(ProblemType type) {
        Problem ours = Problems.of(type, "why");
        Problem others = Problems.ofStatus(type.status(), null);

        assertEquals(others.type(), ours.type());
        assertEquals(others.title(), ours.title());
        assertEquals(others.status(), ours.status());
    }

    /** What Jersey says of its own is no more than the status, and names no path and no method. */
    @Test
    void shouldSayInItsOwnWordsWhatJerseyRefuses() {
        Problem problem = Problems.logAndDescribe(new NotAcceptableException("HTTP 406 Not Acceptable"));

        assertEquals("this path answers in application/json, which Accept does not allow", problem.detail());
        assertEquals("urn:id-allocator:not-acceptable", problem.type());
    }
}
