package org.idallocator.service.bundle;

import io.dropwizard.core.setup.Environment;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;

/** What runs behind the requests of a program, on daemon threads. Executors of Dropwizard would be metrics as well. */
final class Background {
    private Background() {}

    /**
     * An executor that ends with the program, and does not make it wait: what still runs is interrupted.
     *
     * @param name the name of its threads
     * @param executor makes it
     */
    static <E extends ExecutorService> E of(Environment environment, String name, Function<ThreadFactory, E> executor) {
        E background = executor.apply(work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        });
        environment.lifecycle().manage(new ClosedAtStop(background::shutdownNow));
        return background;
    }
}
