package org.idallocator.service.server;

import io.dropwizard.core.setup.Environment;
import io.dropwizard.health.DefaultHealthFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.CrossOriginHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.config.AllocatorConfiguration;
import org.idallocator.service.ids.IdRequest;
import org.idallocator.service.ids.IdService;
import org.idallocator.service.ids.Limit;
import org.idallocator.service.ids.Media;
import org.idallocator.service.metrics.RequestMetrics;
import org.idallocator.service.resources.HttpApi;
import org.idallocator.service.text.Forms;

/**
 * Puts the service's own handlers in front of Dropwizard's. From the outermost: {@link SingleIdHandler}, Dropwizard's for an orderly stop,
 * {@link RequestMetrics}, Jetty's for pages of other origins, {@link AdmissionHandler}. None of them waits.
 */
public final class FrontHandlers implements LifeCycle.Listener {
    /** What widely used clients send whose programs say nothing of Accept, word for word, and the type that they are given. */
    private static final Map<String, Media> OF_CLIENTS = Map.of(
            "*/*", Media.TEXT,
            "application/json, text/plain, */*", Media.JSON, // axios, Angular
            "text/plain, application/json, application/*+json, */*", Media.TEXT, // Spring, for a String
            "application/json, application/*+json", Media.JSON, // Spring, for anything else
            "text/html, image/gif, image/jpeg, */*; q=0.2", Media.TEXT); // Java's URLConnection

    private final Environment environment;
    private final AllocatorConfiguration configuration;
    private final IdService ids;
    private final RequestMetrics metrics;

    private FrontHandlers(
            Environment environment, AllocatorConfiguration configuration, IdService ids, RequestMetrics metrics) {
        this.environment = environment;
        this.configuration = configuration;
        this.ids = ids;
        this.metrics = metrics;
    }

    /** Has the handlers inserted when the server starts. To be called once. */
    public static void install(
            Environment environment, AllocatorConfiguration configuration, IdService ids, RequestMetrics metrics) {
        environment.lifecycle().addEventListener(new FrontHandlers(environment, configuration, ids, metrics));
    }

    /** Only now is it known where Jersey is. */
    @Override
    public void lifeCycleStarting(LifeCycle event) {
        if (event instanceof Server server) {
            String context =
                    environment.getApplicationContext().getContextPath().replaceFirst("/$", "");
            String root = context + HttpApi.root(environment.jersey());
            List<String> origins = configuration.allocator().cors().origins();
            GracefulHandler graceful = server.getDescendant(GracefulHandler.class);
            Handler.Singleton next = graceful == null ? server : graceful;
            next.insertHandler(new AdmissionHandler(
                    ids.limits().requests(),
                    () -> ids.busy(Limit.REQUESTS),
                    exempt(context),
                    root + "/",
                    server.getThreadPool()));
            if (!origins.isEmpty()) {
                next.insertHandler(new CrossOrigin(origins, root));
            }
            next.insertHandler(metrics.handler(request -> !isOperators(request), root));
            server.insertHandler(new SingleIdHandler(
                    byTarget(root), origins.isEmpty() ? "Accept" : "Accept, Origin", metrics.ids()));
        }
    }

    /** Whether a request is for what operators call, on a port of its own or beside the application. */
    private boolean isOperators(Request request) {
        String admin = environment.getAdminContext().getContextPath();
        return isOfAdminPort(request) || (!admin.equals("/") && (path(request) + "/").startsWith(admin + "/"));
    }

    /** Whether a request came to a connector that Dropwizard has made for operators. */
    static boolean isOfAdminPort(Request request) {
        return "admin".equals(request.getConnectionMetaData().getConnector().getName());
    }

    private Predicate<Request> exempt(String context) {
        Set<String> health = configuration.getHealthFactory().stream()
                .filter(DefaultHealthFactory.class::isInstance)
                .flatMap(factory -> ((DefaultHealthFactory) factory).getHealthCheckUrlPaths().stream())
                .map(path -> context + path)
                .collect(Collectors.toUnmodifiableSet());
        return request -> isOperators(request) || health.contains(path(request));
    }

    private static String path(Request request) {
        String path = request.getHttpURI().getCanonicalPath();
        return path == null ? "" : path;
    }

    private Map<String, Map<String, SingleIdHandler.Ready>> byTarget(String root) {
        Map<String, Map<String, SingleIdHandler.Ready>> all = new HashMap<>();
        for (Scheme<?> scheme : ids.source().schemes()) {
            put(root + "/ids/" + scheme.name(), scheme, all);
        }
        return Map.copyOf(all);
    }

    private <T extends Id> void put(
            String path, Scheme<T> scheme, Map<String, Map<String, SingleIdHandler.Ready>> all) {
        for (Form<T> form : Forms.all(scheme)) {
            Map<String, SingleIdHandler.Ready> byAccept = new HashMap<>();
            for (Media media : Media.values()) {
                byAccept.put(media.mediaType(), ready(scheme, form, media));
            }
            OF_CLIENTS.forEach((accept, media) -> byAccept.put(accept, ready(scheme, form, media)));
            all.put(path + "?form=" + form.name(), byAccept);
            if (form.name().equals(Form.CANONICAL)) {
                all.put(path, byAccept);
            }
        }
    }

    private <T extends Id> SingleIdHandler.Ready ready(Scheme<T> scheme, Form<T> form, Media media) {
        IdRequest<T> one = new IdRequest<>(scheme, 1, false, scheme.defaultVariant(), form);
        return SingleIdHandler.Ready.of(ids.answer(one, media), media);
    }

    /** Whether no connector speaks TLS, which Dropwizard's own class speaks by the name of Jetty's. */
    static boolean noneHasTls(Server server) {
        return Arrays.stream(server.getConnectors()).allMatch(each -> each.getConnectionFactory("SSL") == null);
    }

    /** Runs a task, which completes the callback, on the pool that serves the request's connector. */
    static void dispatch(Request request, Callback callback, Runnable task) {
        dispatch(request.getConnectionMetaData().getConnector().getExecutor(), request, callback, task);
    }

    /** The same on other threads. Where there are none any more, closes the connection, as Jetty does: nothing was drawn. */
    static void dispatch(Executor executor, Request request, Callback callback, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            request.getConnectionMetaData().getConnection().getEndPoint().close();
            callback.failed(e); // Jetty logs that, and sends no error any more
        }
    }

    /** Has a request answered in any case, as Jetty does: with 404 where nobody takes the request, with an error where somebody throws. */
    static void pass(Handler next, Request request, Response response, Callback callback) {
        try {
            if (!next.handle(request, response, callback)) {
                Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
            }
        } catch (Throwable e) {
            callback.failed(e);
        }
    }

    /**
     * Lets pages of other origins use the routes in a browser, without credentials. A request of an origin that is not allowed is answered
     * all the same, without the headers by which a browser lets the page read the answer: pages of the service's own origin send their
     * origin, too, and whatever is no browser sends what it likes.
     */
    private static final class CrossOrigin extends CrossOriginHandler {
        private final String root;

        CrossOrigin(List<String> origins, String root) {
            this.root = root;
            setAllowedOriginPatterns(origins.stream()
                    .map(origin -> origin.equals("*") ? origin : Pattern.quote(origin))
                    .collect(Collectors.toUnmodifiableSet()));
            setAllowedMethods(Set.of("GET", "HEAD", "POST"));
            setAllowedHeaders(Set.of("Accept", "Content-Type"));
            setAllowCredentials(false);
            setExposedHeaders(Set.of("Retry-After"));
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            boolean ofRoute = RequestMetrics.isRoute(root, path(request));
            return ofRoute
                    ? super.handle(request, response, callback)
                    : getHandler().handle(request, response, callback);
        }
    }
}
