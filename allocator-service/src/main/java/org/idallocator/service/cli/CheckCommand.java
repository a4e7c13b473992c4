package org.idallocator.service.cli;

import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.service.config.AllocatorSection;

/** Checks a configuration file, all of it: reading the file does that. */
public final class CheckCommand extends AllocatorCommand {
    public CheckCommand(SectionReader<?> reader, Streams streams) {
        super("check", "Parses and validates the configuration file", reader, streams);
    }

    @Override
    public void configure(Subparser subparser) {
        super.configure(subparser);
        subparser.epilog("""
                examples:
                  check
                  check config/cluster.yml""");
    }

    @Override
    protected void run(AllocatorSection section, Namespace options, Output out, Waiting waiting) {
        out.write("Configuration is OK\n");
    }
}
