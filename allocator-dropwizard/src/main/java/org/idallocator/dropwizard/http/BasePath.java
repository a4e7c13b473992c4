package org.idallocator.dropwizard.http;

import com.google.common.base.Suppliers;
import io.dropwizard.core.setup.Environment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What comes before the paths of the routes and of the console, as the configuration has it: nothing, or a path that
 * begins with a slash and ends without one. Not to be asked before the server starts: Dropwizard does not know it
 * sooner. Thread-safe.
 */
public final class BasePath {
    private final Supplier<String> inContext;
    private final Supplier<String> onPort;

    private BasePath(Environment environment) { // each request asks
        inContext = Suppliers.memoize(() -> ofPattern(environment.jersey().getUrlPattern()));
        onPort = Suppliers.memoize(
                () -> environment.getApplicationContext().getContextPath().replaceFirst("/$", "") + inContext());
    }

    /** That of the program's application. */
    public static BasePath of(Environment environment) {
        return new BasePath(environment);
    }

    private static String ofPattern(@Nullable String pattern) {
        return pattern == null ? "" : pattern.replaceFirst("/?\\*?$", "");
    }

    /** What comes before them in the application's context, such as {@code /api}. */
    public String inContext() {
        return inContext.get();
    }

    /** What comes before them on the port: the context's own path as well, such as {@code /app/api}. */
    public String onPort() {
        return onPort.get();
    }
}
