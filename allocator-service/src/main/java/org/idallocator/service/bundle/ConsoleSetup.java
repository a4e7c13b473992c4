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
import org.idallocator.service.http.BasePath;

/** Puts the console on the ports of a program. */
final class ConsoleSetup {
    private static final String PATH = "/console";

    private final Environment environment;
    private final Console console;
    private final boolean inFront;

    /**
     * The setup of a program's console.
     *
     * @param environment the program's
     * @param console what is shown
     * @param inFront whether the console is at {@code /} as well as at {@code /console}
     */
    ConsoleSetup(Environment environment, Console console, boolean inFront) {
        this.environment = environment;
        this.console = console;
        this.inFront = inFront;
    }

    /** Where the console is in a context that has it below a path, which is empty or such as {@code /api}. */
    String[] patterns(String base) {
        String front = base.isEmpty() ? base : base + "/";
        return inFront ? new String[] {base + PATH + "/*", front} : new String[] {base + PATH + "/*"};
    }

    /** The console of the admin port, which the caller puts there. */
    Servlet onAdminPort() {
        AtomicReference<ApplicationPort> port = new AtomicReference<>(new ApplicationPort("http", 0, ""));
        environment.lifecycle().addServerLifecycleListener(server -> port.set(ApplicationPort.of(server, path())));
        return new ConsoleServlet(console, () -> Optional.ofNullable(port.get()), Visibility.OPERATOR);
    }

    /** The console's path on the application port. */
    private String path() {
        return BasePath.of(environment).onPort() + (inFront ? "/" : PATH);
    }

    /** Puts the console on the application port, beside the routes, as soon as it is certain where those are. */
    void onApplicationPort(Visibility visibility) {
        Servlet servlet = new ConsoleServlet(console, Optional::empty, visibility);
        environment.getApplicationContext().addEventListener(new LifeCycle.Listener() {
            @Override
            public void lifeCycleStarting(LifeCycle event) {
                String[] patterns = patterns(BasePath.of(environment).inContext());
                environment
                        .servlets()
                        .addServlet("id-allocator-console", servlet)
                        .addMapping(patterns);
            }
        });
    }
}
