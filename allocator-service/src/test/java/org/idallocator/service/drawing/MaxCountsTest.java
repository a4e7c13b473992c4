package org.idallocator.service.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.ids.MaxCounts;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.Test;

/** The largest count of one request. */
class MaxCountsTest {

    @Test
    @ProofOnly("servers of its own")
    void shouldObeyTheConfiguration() {
        try (RunningService service = RunningService.start(
                ObedientApplication.class, "schemes.uid60.maxCount=5", "schemes.muid.maxCount=7")) {
            Http app = service.app();

            assertEquals(5, app.json("/ids/uid60?count=5").path("ids").size());
            assertEquals("count must be 1..5 (schemes.uid60.maxCount): 6", Http.detail(app.get("/ids/uid60?count=6")));
            assertEquals(
                    "count must be 1..7 (schemes.muid.maxCount): 8",
                    Http.detail(app.get("/ids/muid?transaction=true&count=8")));
            assertEquals(
                    List.of("40960000", "7", "640000", "5", "100000000"),
                    app.json("/ids").path("schemes").findValuesAsText("largestCount"));
        }
    }

    /** What a slot holds in a second depends on the scheme's own configuration. */
    @Test
    void shouldBeTenSecondsOfASlotByDefault() {
        assertEquals(10_000, largest(new SnoScheme(0, 1, 16_384)));
        assertEquals(100_000_000, largest(new SnoScheme(0, 1, 1)));
        assertEquals(10_000, largest(new EightByteScheme(0, true)));
        assertEquals(640_000, largest(new EightByteScheme(0)));
    }

    private static int largest(Scheme<?> scheme) {
        return new MaxCounts(Map.of()).largest(scheme, scheme.defaultVariant());
    }

    @Test
    void shouldRefuseWhatIsNoNumber() {
        Scheme<?> sno = Schemes.of("sno").get(0);
        var refused = assertThrows(IllegalArgumentException.class, () -> MaxCounts.configured(sno, "many"));

        assertEquals("sno.maxCount must be 1..100000000: many", refused.getMessage());
    }
}
