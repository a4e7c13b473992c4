package org.idallocator.bench.process;

import java.util.List;
import java.util.Map;

/**
 * How a program that listens on a port of the loopback interface is started.
 *
 * @param port where it listens
 * @param path what it answers with 200 as soon as it serves
 * @param environment what is added to this process's environment
 * @param command the program with its arguments
 */
public record Program(int port, String path, Map<String, String> environment, List<String> command) {

    /** The same, where the first answer that counts is that to another path. */
    public Program until(String answered) {
        return new Program(port, answered, environment, command);
    }
}
