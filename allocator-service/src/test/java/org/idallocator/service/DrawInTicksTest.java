package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.Uid60Generator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.scheme.LocalIds;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.decode.Forms;
import org.idallocator.service.ids.IdRequest;
import org.junit.jupiter.api.Test;

/** How often it is asked whether somebody still waits for the IDs of an order. */
final class DrawInTicksTest {
    private final ScriptedClock clock = new ScriptedClock(Uid60Generator.UNIT.microsAt(1_000));
    private final IdGenerator<Uid60> uid60s = new LocalIds(Duration.ofSeconds(2), clock).uid60(17);

    /** Others have most of the second: the rest is not waited for before somebody is asked. */
    @Test
    void shouldAskWhetherSomebodyWaitsWhenATickGaveLessThanAChunk() {
        uid60s.next(1_000);
        int[] drawn = new int[1];
        List<String> asked = new ArrayList<>();

        request(Schemes.named("uid60", Schemes.all()))
                .draw(
                        uid60s,
                        1_024,
                        (high, low) -> drawn[0]++,
                        () -> asked.add(drawn[0] + " after " + clock.nanos() / 1_000_000_000 + " s"));

        assertEquals(List.of("24 after 0 s", "1048 after 1 s", "2072 after 2 s", "3000 after 3 s"), asked);
    }

    private static <T extends Id> IdRequest<T> request(Scheme<T> scheme) {
        return new IdRequest<>(scheme, 3_000, true, Variant.NONE, Forms.named(scheme, Forms.CANONICAL));
    }
}
