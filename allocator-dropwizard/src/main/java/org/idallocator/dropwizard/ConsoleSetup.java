package org.idallocator.dropwizard;

import io.dropwizard.core.setup.Environment;
import jakarta.servlet.Servlet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.util.component.LifeCycle;
import org.idallocator.dropwizard.api.Visibility;
import org.idallocator.dropwizard.console.ApplicationPort;
import org.idallocator.dropwizard.console.Console;
import org.idallocator.dropwizard.console.ConsoleServlet;
import org.idallocator.dropwizard.http.BasePath;

/** Puts the console on the ports of a program. */
final class ConsoleSetup {
    private final Environment environment;
    private final Console console;
    private final ConsolePlace place;

    /**
     * The setup of a program's console.
     *
     * @param environment the program's environment
     * @param console what the console shows
     * @param place where the console is
     */
    ConsoleSetup(Environment environment, Console console, ConsolePlace place) {
        this.environment = environment;
        this.console = console;
        this.place = place;
    }

    /**
     * Makes the console's servlet for the admin port; the caller adds the servlet there. When the server has started,
     * the servlet learns where the console of the application port is.
     */
    Servlet createAdminServlet() {
        AtomicReference<ApplicationPort> port = new AtomicReference<>(new ApplicationPort("http", 0, ""));
        environment.lifecycle().addServerLifecycleListener(server -> port.set(ApplicationPort.of(server, path())));
        return new ConsoleServlet(console, () -> Optional.ofNullable(port.get()), Visibility.OPERATOR);
    }

    /** The console's path on the application port. */
    private String path() {
        return BasePath.of(environment).onPort() + place.path();
    }

    /** Puts the console on the application port, beside the routes, as soon as Dropwizard knows the routes' path. */
    void installOnApplicationPort(Visibility visibility) {
        Servlet servlet = new ConsoleServlet(console, Optional::empty, visibility);
        environment.getApplicationContext().addEventListener(new LifeCycle.Listener() {
            @Override
            public void lifeCycleStarting(LifeCycle event) {
                String[] patterns = place.patterns(BasePath.of(environment).inContext());
                environment
                        .servlets()
                        .addServlet("id-allocator-console", servlet)
                        .addMapping(patterns);
            }
        });
    }
}
