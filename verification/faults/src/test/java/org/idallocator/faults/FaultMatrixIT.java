package org.idallocator.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.faults.scene.FakeClock;
import org.idallocator.faults.scene.Stage;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every row of the matrix as a test; {@code -Dfaults=short|long}, {@code -Drows=kill,pause}. The report is in
 * {@code target/fault-matrix}.
 */
class FaultMatrixIT {
    private static final Path REPORT = Path.of("target", "fault-matrix");
    private static final Matrix MATRIX =
            Matrix.of(System.getProperty("faults", "short"), System.getProperty("rows", ""));
    private static final List<Result> RESULTS = new ArrayList<>();

    @TestFactory
    Stream<DynamicTest> shouldKeepItsPromisesUnderEveryFault() {
        return MATRIX.rows().stream().map(row -> DynamicTest.dynamicTest(row.name(), () -> run(row)));
    }

    private static void run(Row row) {
        boolean clocks = row.fault().stage().apply(MATRIX.plan()).traits().contains(Stage.Trait.CLOCKS);
        assumeTrue(!clocks || FakeClock.available(), "faketime is not installed (Debian: apt-get install faketime)");
        Result result = row.run(MATRIX.plan());
        RESULTS.add(result);
        Report.write(REPORT, RESULTS);
        assertEquals(List.of(), result.failures());
    }
}
