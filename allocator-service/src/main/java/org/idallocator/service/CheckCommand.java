package org.idallocator.service;

import net.sourceforge.argparse4j.inf.Namespace;
import org.idallocator.dropwizard.cli.AllocatorCommand;
import org.idallocator.dropwizard.cli.Output;
import org.idallocator.dropwizard.cli.Program;
import org.idallocator.dropwizard.cli.Waiting;
import org.idallocator.dropwizard.config.AllocatorSection;

/** {@code check}: checks a whole configuration file. Reading the file is the check. */
final class CheckCommand extends AllocatorCommand {
    CheckCommand(Program<?> program) {
        super(program, "check", "Parses and validates the configuration file", "check", "check config/cluster.yml");
    }

    @Override
    protected void run(AllocatorSection section, Namespace options, Output out, Waiting waiting) {
        out.write("Configuration is OK\n");
    }
}
