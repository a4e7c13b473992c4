package org.idallocator.service.resources;

import io.dropwizard.core.server.AbstractServerFactory;
import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.jersey.filter.AllowedMethodsFilter;
import io.dropwizard.jetty.GzipHandlerFactory;
import io.dropwizard.jetty.ZipExceptionHandlingServletFilter;
import io.dropwizard.servlets.ThreadNameFilter;
import jakarta.servlet.ServletRequestListener;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.FilterMapping;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHandler;
import org.eclipse.jetty.http.pathmap.MatchedResource;
import org.eclipse.jetty.http.pathmap.ServletPathSpec;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Context;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.component.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens an {@link ExpressLane} where nothing else in the program has a say in requests for IDs: the lane would pass that by. Looks
 * when the server has started and all who were to hear of that have heard, because programs add to it until then; what they add
 * later is not seen. Before, has the lane called on the selector's thread, by an {@link ExpressGate}, where nothing on the way
 * there may wait: there is no request log, no TLS, whose handshakes take long, and no handler but those of every Dropwizard server.
 * A program where one of these is otherwise loses speed and nothing else.
 */
final class ExpressSetup implements LifeCycle.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(ExpressSetup.class);

    /** Handlers outside the admin context that do not wait, and those that stand behind one that hands over. */
    private static final Set<String> KNOWN_HANDLERS = Set.of(
            GracefulHandler.class.getName(),
            "io.dropwizard.jetty.ZipExceptionHandlingGzipHandler",
            "io.dropwizard.jetty.RoutingHandler",
            "io.dropwizard.jetty.ContextRoutingHandler",
            "io.dropwizard.jetty.MutableServletContextHandler",
            "io.dropwizard.metrics.jetty12.ee10.InstrumentedEE10Handler",
            ServletHandler.class.getName(),
            CrossOrigin.class.getName(),
            RequestLimit.class.getName(),
            InTurn.class.getName(),
            HandOver.class.getName(),
            ExpressLane.class.getName(),
            ExpressFront.class.getName(),
            ExpressGate.class.getName());

    /** Filters that change nothing in an answer with an ID, where GET is allowed. */
    private static final Set<String> KNOWN_FILTERS = Set.of(
            AllowedMethodsFilter.class.getName(),
            ZipExceptionHandlingServletFilter.class.getName(),
            ThreadNameFilter.class.getName());

    /** What Jetty calls the protocol of its factory of TLS. */
    private static final String TLS = "SSL";

    private final Environment environment;
    private final List<String> paths;
    private final ExpressLane lane;
    private final JerseyBystanders bystanders;
    private final ServerFactory factory;
    private @Nullable ExpressFront front;

    /** {@code paths} are those of the IDs, as Jersey sees them. */
    ExpressSetup(
            Environment environment,
            List<String> paths,
            ExpressLane lane,
            JerseyBystanders bystanders,
            ServerFactory factory) {
        this.environment = environment;
        this.paths = paths;
        this.lane = lane;
        this.bystanders = bystanders;
        this.factory = factory;
    }

    @Override
    public void lifeCycleStarting(LifeCycle event) {
        event.addEventListener(
                new LifeCycle.Listener() { // the last one, which hears of the start after all others
                    @Override
                    public void lifeCycleStarted(LifeCycle started) {
                        openOrTell();
                    }
                });
        if (front == null && event instanceof Server server && isQuick(server)) {
            environment.getAdminContext().insertHandler(new HandOver());
            front = new ExpressFront(lane, this::isCrowded, server.getThreadPool());
            (server.getHandler() instanceof GracefulHandler graceful ? graceful : server).insertHandler(front);
            server.insertHandler(new ExpressGate());
        }
    }

    /** Whether there is no room for a request of the application. Operators at the admin port wait for nobody. */
    private boolean isCrowded(Request request) {
        return ExpressFront.isOfApplication(request) && lane.refuses(request, () -> hasNoPlace(request));
    }

    private boolean hasNoPlace(Request request) {
        String path = Context.getPathInContext(
                environment.getApplicationContext().getContextPath(),
                Objects.requireNonNullElse(request.getHttpURI().getCanonicalPath(), ""));
        return path != null && lane.getHandler() instanceof RequestLimit limit && limit.refuses(path);
    }

    /** Whether nothing waits before the entrance of one of the two contexts, and all that may wait is in these. */
    private boolean isQuick(Server server) {
        return server.getRequestLog() == null
                && Arrays.stream(server.getConnectors()).noneMatch(ExpressSetup::hasTls)
                && server.getDefaultHandler() == null
                && isBeforeServlets(lane.getHandler())
                && Stream.of(environment.getApplicationContext(), environment.getAdminContext())
                        .noneMatch(ExpressSetup::hearsOfScopes)
                && outsideAdmin(server).stream().allMatch(this::isQuick);
    }

    /** What a request for the application may meet. What is in the admin context stands behind a {@link HandOver}. */
    private List<Handler> outsideAdmin(Server server) {
        ServletContextHandler admin = environment.getAdminContext();
        List<Handler> ofAdmin = admin.getDescendants();
        return server.getDescendants().stream()
                .filter(handler -> handler != admin && !ofAdmin.contains(handler))
                .toList();
    }

    /** Such listeners are called on whatever thread enters the context. */
    private static boolean hearsOfScopes(ServletContextHandler context) {
        return context.getEventListeners().stream().anyMatch(ContextHandler.ContextScopeListener.class::isInstance);
    }

    private static boolean hasTls(Connector connector) {
        return connector.getConnectionFactory(TLS) != null; // by its name, as Dropwizard's own class is around Jetty's
    }

    private boolean isQuick(Handler handler) {
        return KNOWN_HANDLERS.contains(handler.getClass().getName())
                && (handler == environment.getApplicationContext() || !(handler instanceof ServletContextHandler));
    }

    private void openOrTell() {
        String contextPath = environment.getApplicationContext().getContextPath();
        String root = HttpApi.root(environment.jersey());
        Optional<String> other =
                Stream.concat(bystanders.first().stream(), aroundJersey(root)).findFirst();
        if (other.isEmpty()) {
            lane.open((contextPath.equals("/") ? "" : contextPath) + root);
            openFront();
        } else {
            LOG.info("IDs are answered by Jersey alone, because {} sees their requests, too", other.get());
        }
    }

    /** Opens what answers before the context, where nothing but what is known is passed by. */
    private void openFront() {
        ExpressFront inserted = front;
        ServletContextHandler context = environment.getApplicationContext();
        Server server = context.getServer();
        if (inserted != null
                && isQuick(server)
                && environment.getAdminContext().getHandler() instanceof HandOver
                && context.getVirtualHosts().isEmpty()
                && protectsNothing(context)
                && hasEachOnce(server)
                && !hearsOfScopes(context)) {
            boolean varies = server.getDescendant(CrossOrigin.class) != null;
            PassedCounts.of(factory, environment.metrics())
                    .ifPresent(counts -> inserted.open(
                            new ExpressFront.Passed(context::isAvailable, counts, varies, leastCompressed())));
        }
    }

    private static boolean protectsNothing(ServletContextHandler context) {
        String[] targets = context.getProtectedTargets();
        return targets == null || targets.length == 0;
    }

    /** Whether a request for the application meets one handler of a kind at most: a second one is the program's own. */
    private boolean hasEachOnce(Server server) {
        List<Handler> met = outsideAdmin(server);
        return met.stream().map(Handler::getClass).distinct().count() == met.size();
    }

    private long leastCompressed() {
        if (!(factory instanceof AbstractServerFactory made)) {
            return 0;
        }
        GzipHandlerFactory gzip = made.getGzipFilterFactory();
        return gzip.isEnabled() ? gzip.getMinimumEntitySize().toBytes() : Long.MAX_VALUE;
    }

    /** What in the application's context sees requests for IDs, but for Jersey, and what every Dropwizard server has. */
    private Stream<String> aroundJersey(String root) {
        ServletContextHandler context = environment.getApplicationContext();
        ServletHandler servlets = context.getServletHandler();
        return Stream.of(
                        Stream.of(lane.getHandler()).filter(next -> !isBeforeServlets(next)),
                        context.getEventListeners().stream().filter(ServletRequestListener.class::isInstance),
                        paths.stream()
                                .map(path -> servlets.getMatchedServlet(root + path))
                                .map(MatchedResource::getResource)
                                .map(mapped -> mapped.getServletHolder().getServletInstance())
                                .filter(servlet -> servlet != environment.getJerseyServletContainer()),
                        Arrays.stream(servlets.getFilterMappings())
                                .filter(mapping -> concerns(mapping, root))
                                .map(mapping -> servlets.getFilter(mapping.getFilterName()))
                                .filter(filter -> !isKnown(filter)))
                .flatMap(others -> others)
                .map(Objects::toString);
    }

    /** Whether nothing but a limit, a hand-over and turns stand before the servlets. */
    private boolean isBeforeServlets(Handler next) {
        return next instanceof RequestLimit limit
                && limit.getHandler() instanceof HandOver handOver
                && handOver.getHandler() instanceof InTurn inTurn
                && inTurn.getHandler() == environment.getApplicationContext().getServletHandler();
    }

    private boolean concerns(FilterMapping mapping, String root) {
        String[] specs = Objects.requireNonNullElse(mapping.getPathSpecs(), new String[0]);
        return specs.length == 0 // then it is for some servlets by their names, maybe Jersey's
                || Arrays.stream(specs)
                        .map(ServletPathSpec::new)
                        .anyMatch(spec -> paths.stream().anyMatch(path -> spec.matches(root + path)));
    }

    private static boolean isKnown(FilterHolder filter) {
        String methods = filter.getInitParameter(AllowedMethodsFilter.ALLOWED_METHODS_PARAM);
        return KNOWN_FILTERS.contains(filter.getClassName())
                && (methods == null || List.of(methods.split(",")).contains("GET"));
    }
}
