package org.idallocator.faults.row;

import org.idallocator.faults.scene.Plan;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** One fault. That no two IDs are equal is a goal of every row, and not said in any. */
public interface Fault {

    /** Short, for tables and for choosing rows; {@code kill} or {@code clock -1h}. */
    String name();

    /** What happens, in a sentence. */
    String does();

    /** What it happens to. */
    Stage stage(Plan plan);

    /** Lets it happen, under load, and puts everything right again; notes what it measures and its goals. */
    void strike(Scene scene);
}
