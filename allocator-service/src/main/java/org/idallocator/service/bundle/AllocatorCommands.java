package org.idallocator.service.bundle;

import io.dropwizard.core.cli.Command;
import java.util.List;
import org.idallocator.service.cli.DoctorCommand;
import org.idallocator.service.cli.FenceRestoreCommand;
import org.idallocator.service.cli.GenerateCommand;
import org.idallocator.service.cli.InspectCommand;
import org.idallocator.service.cli.Program;
import org.idallocator.service.cli.leases.LeasesCommand;

/** The commands that a program with an allocator has beside its own. */
public final class AllocatorCommands {
    private AllocatorCommands() {}

    /** Those of a program, in the order of its help. */
    public static List<Command> of(Program<?> program) {
        return List.of(
                new GenerateCommand(program),
                new InspectCommand(program.streams()),
                new LeasesCommand(program),
                new DoctorCommand(program),
                new FenceRestoreCommand(program));
    }
}
