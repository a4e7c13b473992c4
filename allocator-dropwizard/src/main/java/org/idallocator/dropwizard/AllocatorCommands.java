package org.idallocator.dropwizard;

import io.dropwizard.core.cli.Command;
import java.util.List;
import org.idallocator.dropwizard.cli.DoctorCommand;
import org.idallocator.dropwizard.cli.FenceRestoreCommand;
import org.idallocator.dropwizard.cli.GenerateCommand;
import org.idallocator.dropwizard.cli.InspectCommand;
import org.idallocator.dropwizard.cli.Program;
import org.idallocator.dropwizard.cli.leases.LeasesCommand;

/** The commands that a program with an allocator has beside its own. */
public final class AllocatorCommands {
    private AllocatorCommands() {}

    /** The commands of a program, in the order in which its help lists them. */
    public static List<Command> of(Program<?> program) {
        return List.of(
                new GenerateCommand(program),
                new InspectCommand(program.streams()),
                new LeasesCommand(program),
                new DoctorCommand(program),
                new FenceRestoreCommand(program));
    }
}
