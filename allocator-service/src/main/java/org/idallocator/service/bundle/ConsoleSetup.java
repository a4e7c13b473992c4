package org.idallocator.service.bundle;

import io.dropwizard.core.setup.Environment;
import jakarta.servlet.Servlet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.util.component.LifeCycle;
import org.idallocator.service.api.Visibility;
import org.idallocator.service.console.ApplicationPort;
import org.idallocator.service.console.Console;
import org.idallocator.service.console.ConsoleServlet;
import org.idallocator.service.resources.HttpApi;

/**
 * Puts the console on the ports of a program.
 *
 * @param environment the program's
 * @param console what is shown
 * @param inFront whether the console is at {@code /} as well as at {@code /console}
 */
record ConsoleSetup(Environment environment, Console console, boolean inFront) {
    private static final String PATH = "/console";

    /** Where the console is on a port that has it below a path, which is empty or such as {@code /api}. */
    String[] patterns(String root) {
        String front = root.isEmpty() ? root : root + "/";
        return inFront ? new String[] {root + PATH + "/*", front} : new String[] {root + PATH + "/*"};
    }

    /** The console of the admin port, which the caller puts there. */
    Servlet onAdminPort() {
        AtomicReference<ApplicationPort> port = new AtomicReference<>(new ApplicationPort("http", 0, ""));
        environment.lifecycle().addServerLifecycleListener(server -> port.set(ApplicationPort.of(server, path())));
        return new ConsoleServlet(console, () -> Optional.ofNullable(port.get()), Visibility.OPERATOR);
    }

    /** The console's path on the application port. */
    private String path() {
        String context = environment.getApplicationContext().getContextPath();
        return (context.equals("/") ? "" : context) + HttpApi.root(environment.jersey()) + (inFront ? "/" : PATH);
    }

    /** Puts the console on the application port, beside the routes, as soon as it is certain where those are. */
    void onApplicationPort(Visibility visibility) {
        Servlet servlet = new ConsoleServlet(console, Optional::empty, visibility);
        environment.getApplicationContext().addEventListener(new LifeCycle.Listener() {
            @Override
            public void lifeCycleStarting(LifeCycle event) {
                String[] patterns = patterns(HttpApi.root(environment.jersey()));
                environment
                        .servlets()
                        .addServlet("id-allocator-console", servlet)
                        .addMapping(patterns);
            }
        });
    }
}
