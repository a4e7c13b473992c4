package org.idallocator.dropwizard.http;

import com.google.common.base.Suppliers;
import io.dropwizard.core.setup.Environment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The path below which the routes and the console are, as the configuration says: empty, or a path that begins with a
 * slash and ends without one. To be read only after the server has started, because Dropwizard does not know the path
 * earlier. Thread-safe.
 */
public final class BasePath {
    private final Supplier<String> inContext;
    private final Supplier<String> context;
    private final Supplier<String> onPort;

    private BasePath(Environment environment) { // memoized, because each request asks for the path
        inContext = Suppliers.memoize(() -> ofPattern(environment.jersey().getUrlPattern()));
        context = Suppliers.memoize(
                () -> environment.getApplicationContext().getContextPath().replaceFirst("/$", ""));
        onPort = Suppliers.memoize(() -> context() + inContext());
    }

    /** The base path of a program's application. */
    public static BasePath of(Environment environment) {
        return new BasePath(environment);
    }

    private static String ofPattern(@Nullable String pattern) {
        return pattern == null ? "" : pattern.replaceFirst("/?\\*?$", "");
    }

    /** The path of the application's context, such as {@code /app}. */
    public String context() {
        return context.get();
    }

    /** The path within the application's context, such as {@code /api}. */
    public String inContext() {
        return inContext.get();
    }

    /** The path on the port, which begins with the context's own path, such as {@code /app/api}. */
    public String onPort() {
        return onPort.get();
    }
}
