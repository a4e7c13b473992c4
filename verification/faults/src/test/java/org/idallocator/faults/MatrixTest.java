package org.idallocator.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatrixTest {
    private static List<String> names(Matrix matrix) {
        return matrix.rows().stream().map(Row::name).toList();
    }

    @Test
    void shouldHaveEveryRowOfAMatrixInTheLongerOnes() {
        assertEquals(13, names(Matrix.of("short", "")).size());
        assertTrue(names(Matrix.of("long", "")).containsAll(names(Matrix.of("short", ""))));
        assertEquals(32, new HashSet<>(names(Matrix.of("long", ""))).size());
    }

    @ParameterizedTest
    @CsvSource({
        "short, 'control pause,control blackhole both,control clock -8 s,control wiped'",
        "long, 'control pause,control blackhole both,control clock -8 s,control wiped,control old backup,control relayout'"
    })
    void shouldHaveControls(String name, String controls) {
        assertEquals(
                List.of(controls.split(",")),
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
