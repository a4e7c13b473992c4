package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.idallocator.core.scheme.Schemes;
import org.junit.jupiter.api.Test;

class BadValueExceptionTest {
    @Test
    void shouldTellTheKeyAndTheRuleApartAndTogether() {
        BadValueException bad = new BadValueException("sno.leases", "must be 1..64: 0");

        assertEquals("sno.leases", bad.key());
        assertEquals("must be 1..64: 0", bad.rule());
        assertEquals("sno.leases must be 1..64: 0", bad.getMessage());
    }

    @Test
    void shouldNameTheWholeKeyInALargerText() {
        BadValueException bad = new BadValueException("sno.leases", "must be 1..64: 0");
        BadValueException inSchemes = bad.in("schemes");

        assertEquals("schemes.sno.leases", inSchemes.key());
        assertEquals("must be 1..64: 0", inSchemes.rule());
        assertEquals("schemes.sno.leases must be 1..64: 0", inSchemes.getMessage());
        assertSame(bad, inSchemes.getCause());
    }

    @Test
    void shouldBeThrownForOptionsAndFieldsThatAreNotAllowed() {
        BadValueException option =
                assertThrows(BadValueException.class, () -> Schemes.configured(Map.of("sno", Map.of("shards", 0))));
        BadValueException field = assertThrows(BadValueException.class, () -> SnoPartition.of(65_536));

        assertEquals("sno.shards", option.key());
        assertEquals("partition", field.key());
        assertEquals("must be 0..65535: 65536", field.rule());
    }
}
