package org.idallocator.faults.row;

import java.util.function.Function;
import org.idallocator.faults.scene.Plan;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** One fault. That no two IDs are equal is a goal of every row, and not said in any. */
public abstract class Fault {
    private final String name;
    private final String does;
    private final Function<Plan, Stage> stage;

    /**
     * A fault.
     *
     * @param name short, for tables and for choosing rows; {@code kill} or {@code clock -1h}
     * @param does what happens, in a sentence
     * @param stage what it happens to
     */
    Fault(String name, String does, Function<Plan, Stage> stage) {
        this.name = name;
        this.does = does;
        this.stage = stage;
    }

    public String name() {
        return name;
    }

    public String does() {
        return does;
    }

    public Stage stage(Plan plan) {
        return stage.apply(plan);
    }

    /** Lets it happen, under load, and puts everything right again; notes what it measures and its goals. */
    public abstract void strike(Scene scene);
}
