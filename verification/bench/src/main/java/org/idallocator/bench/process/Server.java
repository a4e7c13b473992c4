package org.idallocator.bench.process;

/**
 * A program that listens on a port of the loopback interface, as a process of its own, from its first answer until
 * closed.
 */
public final class Server implements AutoCloseable {
    private static final double NANOS = 1e6;

    private final Child process;
    private final int port;
    private final double millisToAnswer;

    private Server(Child process, int port, double millisToAnswer) {
        this.process = process;
        this.port = port;
        this.millisToAnswer = millisToAnswer;
    }

    /**
     * Starts a program, and waits until it answers.
     *
     * @throws IllegalStateException with what the program has printed when it ends before that, or does not answer for
     *     two minutes
     */
    public static Server start(Scratch scratch, Program program) {
        long fromNanos = System.nanoTime();
        Child process = Child.start(scratch.path("output"), program.environment(), program.command());
        try {
            Http.awaitAnswer(program.port(), program.path(), process);
            return new Server(process, program.port(), (System.nanoTime() - fromNanos) / NANOS);
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
    }

    public int port() {
        return port;
    }

    public long pid() {
        return process.pid();
    }

    /** How many milliseconds there were from the start of the process to its first answer. */
    public double millisToAnswer() {
        return millisToAnswer;
    }

    public Connection connect() {
        return new Connection(port);
    }

    @Override
    public void close() {
        process.close();
    }
}
