package org.idallocator.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class MatrixTest {
    private static List<String> names(Matrix matrix) {
        return matrix.rows().stream().map(Row::name).toList();
    }

    @Test
    void shouldHaveEveryRowAndTheControls() {
        List<String> few = names(Matrix.of("short", ""));
        List<String> all = names(Matrix.of("long", ""));
        assertEquals(13, few.size());
        assertEquals(43, new HashSet<>(all).size());
        assertTrue(all.containsAll(few));
        assertEquals(4, few.stream().filter(row -> row.startsWith("control")).count());
        assertEquals(7, all.stream().filter(row -> row.startsWith("control")).count());
    }

    @Test
    void shouldTakeTheNamedRowsAndRefuseWhatItDoesNotKnow() {
        assertEquals(List.of("kill", "crowd"), names(Matrix.of("short", "crowd, kill")));
        assertThrows(IllegalArgumentException.class, () -> Matrix.of("medium", ""));
        assertThrows(IllegalArgumentException.class, () -> Matrix.of("short", "kill,earthquake"));
    }
}
