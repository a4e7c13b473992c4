package org.idallocator.service.testing;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RunningServiceTest {
    /** Else a test that misspells a key tests the service without that key, and is green. */
    @Test
    void shouldNotStartWhenAKeyIsMisspelt() {
        AssertionError refused = assertThrows(
                AssertionError.class, () -> RunningService.start(ObedientApplication.class, "cors.origins=*"));

        String why = String.valueOf(refused.getCause());
        assertTrue(why.contains("Unrecognized field at: allocator.cors.origins"), why);
    }
}
