package org.idallocator.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.idallocator.bench.batches.Batches;
import org.idallocator.bench.batches.Fair;
import org.idallocator.bench.fleet.Fleet;
import org.idallocator.bench.memory.Memory;
import org.idallocator.bench.start.Start;

/**
 * Measures, and prints each figure beside its ratio and its goal.
 *
 * <pre>
 * bench.jar [names] [--quick] [--markdown]               what one call costs, by JMH
 * bench.jar cap [names] [--seconds=60] [--markdown]      what schemes give for a minute at their own limits
 * bench.jar http [schemes] [--quick] [--jar=PATH]        one ID from the service, which must have been built
 * bench.jar batches [--quick]                            large answers of the service, beside ready bytes
 * bench.jar fair [--quick]                               requests for one ID beside requests for many
 * bench.jar start [--quick]                              how soon the service answers, and commands print
 * bench.jar fleet [--sizes=8,512] [--quick]              how a fleet of replicas starts, and what it asks of ZooKeeper
 * bench.jar memory [--minutes=10] [--quick]              what the service takes of memory, and whether that grows
 * </pre>
 *
 * <p>Names are beginnings, such as {@code Drawing}, {@code Writing.gid} or {@code muid}; without any, everything is measured.
 * {@code --quick} measures for moments, to see that everything runs. {@code --markdown} prints tables for a document.
 */
public final class Bench {
    private static final Map<String, Command> COMMANDS = Map.of(
            "cap", AtCap::run,
            "http", HttpBench::run,
            "batches", Batches::run,
            "fair", Fair::run,
            "start", Start::run,
            "fleet", Fleet::run,
            "memory", Memory::run);

    private Bench() {}

    /** One of the things that this program measures. */
    interface Command {
        void run(List<String> arguments) throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        List<String> rest = new ArrayList<>(List.of(arguments));
        Command command = rest.isEmpty() ? null : COMMANDS.get(rest.get(0));
        if (command == null) {
            Calls.run(rest);
        } else {
            rest.remove(0);
            command.run(rest);
        }
    }
}
