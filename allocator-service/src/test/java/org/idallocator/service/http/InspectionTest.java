package org.idallocator.service.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.idallocator.core.id.IdType.Field;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(SharedService.class)
class InspectionTest {

    static List<Scheme<?>> schemes() {
        return Schemes.all();
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void shouldSayTheSameOfEveryFormWithEveryFieldTheTimeAndTheHolder(Scheme<?> scheme, RunningService service) {
        String path = "/ids/" + scheme.name() + "/";
        String id = service.app().get("/ids/" + scheme.name()).body().strip();
        JsonNode said = service.inspected(path + id);
        Duration since = Duration.between(Instant.parse(said.path("time").asText()), now(service));
        boolean leased = scheme.pool().isPresent();

        assertEquals(scheme.name(), said.path("scheme").asText());
        assertEquals(id, said.path("id").asText());
        assertEquals(said, service.inspected(path + said.path("hex").asText()));
        assertEquals(said, service.inspected(path + id + "?form=canonical"));
        assertEquals(scheme.forms().size(), said.path("forms").size());
        for (Form<?> form : scheme.forms()) {
            String text = said.path("forms").path(form.name()).asText();
            assertEquals(said, service.inspected(path + text + "?form=" + form.name()));
        }
        assertEquals(
                scheme.type().fields().stream().map(Field::name).toList(),
                said.path("fields").findValuesAsText("name"));
        assertTrue(since.abs().compareTo(Proof.size(HangGuard.TIME, Duration.ofMinutes(1))) < 0, said.toString());
        assertTrue(said.has("holder") && !said.has("remarks"), said.toString());
        assertEquals(leased, said.path("holder").has("acquiredAt"));
    }

    /** A muid's own time: tests read no clock of their own. */
    private static Instant now(RunningService service) {
        String id = service.app().get("/ids/muid").body().strip();
        return Instant.parse(service.app().json("/ids/muid/" + id).path("time").asText());
    }

    /**
     * What the library's {@code toLong}, {@code toUuid} and {@code toBytes} give back from a database and its tools.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            eightbyte | -966301394858409709                    | decimal | f297020045800113
            eightbyte | 17480442678851141907                   | decimal | f297020045800113
            eightbyte | 0xf297020045800113                     | hex     | f297020045800113
            muid      | 0660C91A-F254-F717-2DF5-85D483600001   | uuid    | 0660C91AF254F7172DF585D483600001
            muid      | 0660c91af254f7172df585d483600001       | hex     | 0660C91AF254F7172DF585D483600001
            gid       | 80000000-0000-0080-8000-000000000001   | uuid    | 5rLWQQkJdm-2dsHQcqMrhmxC
            gid       | 80000000000000808000000000000001       | hex     | 5rLWQQkJdm-2dsHQcqMrhmxC
            sno       | 39713771-6D77-7132-3232-326468693232   | uuid    | 9q7qmwq2222dhi22
            sno       | 0x3E0B8A7B000000B7C000                 |         | 9q7qmwq2222dhi22
            uid60     | 1152921504606846975                    | decimal | __________
            """)
    void shouldReadWhatDatabasesGiveBack(
            String scheme, String text, @Nullable String form, String id, RunningService service) {
        String query = form == null ? "" : "?form=" + form;

        JsonNode said = service.app().json("/ids/" + scheme + "/" + text + query);
        assertEquals(id, said.path("id").asText());
    }

    @ParameterizedTest
    @CsvSource({"80000000000000800000000000000001, 1", "8000000000000080ffffffffffffffff, \"18446744073709551615\""})
    void shouldGiveNumbersAboveFiftyThreeBitsAsText(String id, String number, RunningService service) {
        assertEquals(
                number,
                service.app().json("/ids/gid/" + id).at("/fields/3/value").toString());
    }

    @Test
    void shouldRemarkOnAForeignMedallionAndNameNoHolder(RunningService service) {
        JsonNode said = service.app().json("/ids/muid/0660C91AF254F7000000000000000001");

        assertEquals(1, said.path("remarks").size());
        assertTrue(said.path("holder").isNull());
    }
}
