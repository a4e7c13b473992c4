package org.idallocator.service.cli;

import io.dropwizard.core.cli.Command;
import java.util.List;
import org.idallocator.service.cli.terminal.StandardStreams;

/** The commands that any program with an allocator can have. */
public final class Commands {
    private Commands() {}

    /**
     * All commands.
     *
     * @param reader reads the configuration file that a command is given
     * @param streams what the commands read and write
     */
    public static List<Command> all(SectionReader<?> reader, StandardStreams streams) {
        return List.of(
                new GenerateCommand(reader, streams),
                new InspectCommand(streams),
                new LeasesCommand(reader, streams),
                new DoctorCommand(reader, streams),
                new FenceRestoreCommand(reader, streams),
                new SecureCommand(reader, streams),
                new CompletionCommand(streams));
    }
}
