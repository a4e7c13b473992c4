package org.idallocator.service.server;

import io.dropwizard.health.response.HealthResponse;
import io.dropwizard.health.response.HealthResponseProvider;
import io.dropwizard.health.response.JsonHealthResponseProvider;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.idallocator.core.clock.Clock;
import org.jspecify.annotations.Nullable;

/**
 * The answers to what load balancers ask: whether the replica is ready, whether it is alive, whether one check passes,
 * and all checks. Each answer is kept for a moment: the checks themselves run on a schedule, whoever asks. Thread-safe;
 * never waits.
 */
final class HealthAnswers {
    /** How long an answer is kept. */
    static final long KEPT_NANOS = 10_000_000;

    private final HealthResponseProvider provider;
    private final Clock clock;

    /** By the query of a request, as it is sent. */
    private final Map<String, Question> questions = new HashMap<>();

    /**
     * The answers of one server.
     *
     * @param provider makes an answer, and never waits
     * @param checks the names of the checks
     */
    HealthAnswers(HealthResponseProvider provider, Collection<String> checks, Clock clock) {
        this.provider = provider;
        this.clock = clock;
        questions.put("", new Question(Map.of()));
        put(JsonHealthResponseProvider.CHECK_TYPE_QUERY_PARAM, List.of("ready", "alive"));
        put(JsonHealthResponseProvider.NAME_QUERY_PARAM, List.of(JsonHealthResponseProvider.ALL_VALUE));
        put(JsonHealthResponseProvider.NAME_QUERY_PARAM, checks);
    }

    private void put(String parameter, Collection<String> values) {
        values.forEach(
                value -> questions.put(parameter + "=" + value, new Question(Map.of(parameter, List.of(value)))));
    }

    /** The answer to a request with this query; empty for a query of another kind, as for several checks. */
    Optional<Answer> answer(String query) {
        return Optional.ofNullable(questions.get(query)).map(Question::answer);
    }

    /**
     * What is answered.
     *
     * @param status of HTTP
     * @param contentType of the body
     * @param body read-only; whoever writes the body takes a slice
     */
    record Answer(int status, String contentType, ByteBuffer body) {
        private static Answer of(HealthResponse response) {
            return new Answer(
                    response.getStatus(),
                    response.getContentType(),
                    StandardCharsets.UTF_8.encode(response.getMessage()).asReadOnlyBuffer());
        }
    }

    /** An answer, and when it was made. */
    private record Kept(Answer answer, long madeNanos) {}

    /** What is asked for, with the answer that was made last. Several threads may make one at the same time. */
    private final class Question {
        private final Map<String, Collection<String>> parameters;
        private volatile @Nullable Kept kept;

        Question(Map<String, Collection<String>> parameters) {
            this.parameters = parameters;
        }

        Answer answer() {
            long nowNanos = clock.nanos();
            Kept last = kept;
            if (last == null || nowNanos - last.madeNanos() >= KEPT_NANOS) {
                last = new Kept(Answer.of(provider.healthResponse(parameters)), nowNanos);
                kept = last;
            }
            return last.answer();
        }
    }
}
