package org.idallocator.faults;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.idallocator.faults.ids.Receipts;
import org.idallocator.faults.load.Track;
import org.idallocator.faults.row.Fault;
import org.idallocator.faults.scene.Goal;
import org.idallocator.faults.scene.Kind;
import org.idallocator.faults.scene.Plan;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;
import org.jspecify.annotations.Nullable;

/** A fault, and to whom it happens: the service, or the naive control. */
record Row(Fault fault, Kind kind) {
    private static final Path ROWS = Path.of("target", "rows");

    String name() {
        return kind.isControl() ? "control " + fault.name() : fault.name();
    }

    /** Runs it to its end; what goes wrong is in the result. A control is over when it has shown its fault. */
    Result run(Plan matrix) {
        Plan plan = kind.isControl() ? matrix.control() : matrix;
        Stage stage = fault.stage().apply(plan);
        Path directory = temporary();
        Scene scene = new Scene(kind, stage, plan, directory);
        String error = null;
        try (scene) {
            scene.open();
            scene.last(plan.before());
            fault.strike().accept(scene);
            scene.last(plan.after());
            scene.finish();
        } catch (RuntimeException | AssertionError e) {
            error = e + "; logs: " + directory;
        }
        Result result = result(scene, stage, error);
        if (error == null) {
            delete(directory);
        }
        return result;
    }

    private Result result(Scene scene, Stage stage, @Nullable String error) {
        List<Receipts.Tally> tallies = scene.receipts().tally();
        List<Goal> goals = new ArrayList<>();
        goals.add(distinct(tallies));
        if (kind == Kind.SERVICE) {
            goals.addAll(scene.log().goals());
        }
        if (error != null) {
            goals.add(new Goal("comes to its end", "that it does", error, false));
        }
        return new Result(
                name(),
                fault.does(),
                kind.isControl(),
                stage.session().toMillis(),
                scene.millis(),
                tallies,
                scene.log().fencedMillis(),
                scene.log().servedMillis(),
                goals,
                scene.log().notes(),
                scene.log().marks(),
                sum(scene, Track::singles),
                sum(scene, Track::batches));
    }

    private static Map<String, Long> sum(Scene scene, Function<Track, Map<String, Long>> counts) {
        Map<String, Long> sum = new TreeMap<>();
        scene.load().tracks().forEach(track -> counts.apply(track).forEach((how, n) -> sum.merge(how, n, Long::sum)));
        return sum;
    }

    /** The one goal of all rows; a control that keeps IDs apart shows that the harness sees nothing. */
    private Goal distinct(List<Receipts.Tally> tallies) {
        long duplicates = tallies.stream().mapToLong(Receipts.Tally::duplicates).sum();
        String examples = duplicates == 0
                ? ""
                : ", such as "
                        + tallies.stream()
                                .flatMap(t -> t.examples().stream())
                                .findFirst()
                                .orElse("");
        return kind.isControl()
                ? new Goal("duplicates found in the control", "at least 1", duplicates + examples, duplicates > 0)
                : new Goal("duplicates", "0", duplicates + examples, duplicates == 0);
    }

    private static Path temporary() {
        return assertDoesNotThrow(() ->
                Files.createTempDirectory(Files.createDirectories(ROWS), "row").toRealPath());
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
