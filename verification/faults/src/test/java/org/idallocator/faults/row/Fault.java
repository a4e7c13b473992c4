package org.idallocator.faults.row;

import java.util.function.Consumer;
import java.util.function.Function;
import org.idallocator.faults.scene.Plan;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/**
 * One fault. That no two IDs are equal is a goal of every row, and not said in any.
 *
 * @param name short, for tables and for choosing rows; {@code kill} or {@code clock -1h}
 * @param does what happens, in a sentence
 * @param stage what it happens to
 * @param strike lets it happen, under load, and puts everything right again; notes what it measures and its goals
 */
public record Fault(String name, String does, Function<Plan, Stage> stage, Consumer<Scene> strike) {}
