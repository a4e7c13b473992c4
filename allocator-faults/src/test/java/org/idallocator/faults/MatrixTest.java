package org.idallocator.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MatrixTest {
    private static List<String> names(Matrix matrix) {
        return matrix.rows().stream().map(Row::name).toList();
    }

    @Test
    void shouldHaveEveryRowOfTheShortMatrixInTheLongOne() {
        assertEquals(10, names(Matrix.of("short", "")).size());
        assertTrue(names(Matrix.of("long", "")).containsAll(names(Matrix.of("short", ""))));
        assertEquals(25, new HashSet<>(names(Matrix.of("long", ""))).size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"short", "long"})
    void shouldHaveAControlForPauseBlackholeAndClock(String name) {
        assertEquals(
                List.of("control pause", "control blackhole both", "control clock -8 s"),
                names(Matrix.of(name, "")).stream()
                        .filter(row -> row.startsWith("control"))
                        .toList());
    }

    @Test
    void shouldTakeTheNamedRows() {
        assertEquals(List.of("kill", "crowd"), names(Matrix.of("short", "crowd, kill")));
    }

    @Test
    void shouldRefuseWhatItDoesNotKnow() {
        assertThrows(IllegalArgumentException.class, () -> Matrix.of("medium", ""));
        assertThrows(IllegalArgumentException.class, () -> Matrix.of("short", "kill,earthquake"));
    }
}
