package org.idallocator.service.bundle;

import io.dropwizard.core.setup.Environment;
import io.dropwizard.jetty.setup.ServletEnvironment;
import io.dropwizard.util.Duration;
import jakarta.servlet.Servlet;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.component.LifeCycle;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.api.Discretion;
import org.idallocator.service.console.ApplicationPort;
import org.idallocator.service.console.Console;
import org.idallocator.service.console.ConsoleServlet;
import org.idallocator.service.console.Rates;
import org.idallocator.service.draw.IdSource;
import org.idallocator.service.draw.Places;
import org.idallocator.service.metrics.DrawMetrics;
import org.idallocator.service.resources.HttpApi;

/** Puts the console on the ports of a program: at {@code /console}, and at {@code /} where the program wants that. */
final class ConsoleSetup {
    /** Where the console is on each port. */
    static final String PATTERN = "/console/*";

    private static final String NAME = "id-allocator-console";
    private static final String ROOT = "";

    private final Environment environment;
    private final Console console;
    private final boolean inFront;
    private volatile ApplicationPort application = new ApplicationPort("http", 0, ROOT);

    /** A console on no port yet; {@code inFront}: it is to be at {@code /} as well. */
    ConsoleSetup(Environment environment, Console console, boolean inFront) {
        this.environment = environment;
        this.console = console;
        this.inFront = inFront;
    }

    /** What a console shows of the IDs that {@code metrics} counts; their rates are taken until the program stops. */
    static Console.Counts counts(Environment environment, IdSource source, DrawMetrics metrics) {
        Rates rates = new Rates(
                source.schemes().stream().map(Scheme::name).toList(),
                scheme -> metrics.drawn(scheme).issued(),
                Clock.system());
        var unused = environment
                .lifecycle()
                .scheduledExecutorService("id-allocator.console-rates", true)
                .shutdownTime(Duration.seconds(0))
                .build()
                .scheduleAtFixedRate(rates, Rates.EVERY.toMillis(), Rates.EVERY.toMillis(), TimeUnit.MILLISECONDS);
        return new Console.Counts(metrics::drawn, rates, metrics.busy()::counts);
    }

    /**
     * The console of the admin port. At {@code /} this puts it there itself; the caller puts it at {@link #PATTERN}.
     *
     * @param readings the places of operators who are told at the same time what an ID says
     */
    Servlet onAdminPort(Places readings) {
        environment
                .lifecycle()
                .addServerLifecycleListener(
                        server -> application = ApplicationPort.of(server, pathOnApplicationPort()));
        Servlet servlet = ConsoleServlet.forOperators(console, () -> application, readings);
        if (inFront) {
            front(environment.admin(), ROOT, servlet);
        }
        return servlet;
    }

    private String pathOnApplicationPort() {
        String context = environment.getApplicationContext().getContextPath();
        return (context.equals("/") ? "" : context) + HttpApi.root(environment.jersey()) + (inFront ? "/" : "/console");
    }

    /**
     * Puts the console on the application port, beside the routes, as soon as it is certain where those are.
     *
     * @param discretion what it tells
     * @param readings the places of those who are told at the same time what an ID says, there and by the routes
     */
    void onApplicationPort(Discretion discretion, Places readings) {
        Servlet servlet = ConsoleServlet.forEverybody(console, discretion, readings);
        environment.getApplicationContext().addEventListener(new LifeCycle.Listener() {
            @Override
            public void lifeCycleStarting(LifeCycle event) {
                String root = HttpApi.root(environment.jersey());
                environment.servlets().addServlet(NAME, servlet).addMapping(root + PATTERN);
                if (inFront) {
                    front(environment.servlets(), root.isEmpty() ? ROOT : root + "/", servlet);
                }
            }
        });
    }

    private static void front(ServletEnvironment servlets, String pattern, Servlet servlet) {
        servlets.addServlet(NAME + "-in-front", servlet).addMapping(pattern);
    }
}
