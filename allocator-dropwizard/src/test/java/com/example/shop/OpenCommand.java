package com.example.shop;

import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;

/** A command of the shop's own. */
final class OpenCommand extends Command {
    OpenCommand() {
        super("open", "Opens the shop");
    }

    @Override
    public void configure(Subparser subparser) {}

    @Override
    public void run(Bootstrap<?> bootstrap, Namespace namespace) {
        System.out.println("open");
    }
}
