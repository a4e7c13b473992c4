package org.idallocator.service.resources;

import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.ext.MessageBodyWriter;
import jakarta.ws.rs.ext.WriterInterceptor;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.glassfish.jersey.InjectionManagerProvider;
import org.glassfish.jersey.internal.inject.InjectionManager;
import org.glassfish.jersey.internal.inject.Providers;
import org.glassfish.jersey.internal.inject.ServiceHolder;
import org.glassfish.jersey.server.model.ModelProcessor;
import org.glassfish.jersey.server.model.Resource;
import org.glassfish.jersey.server.monitoring.ApplicationEvent;
import org.glassfish.jersey.server.monitoring.ApplicationEventListener;
import org.glassfish.jersey.server.monitoring.RequestEvent;
import org.glassfish.jersey.server.monitoring.RequestEventListener;
import org.glassfish.jersey.server.spi.internal.ResourceMethodInvocationHandlerProvider;
import org.jspecify.annotations.Nullable;

/**
 * What a program has registered with Jersey that sees requests for IDs or their answers on the way: filters, interceptors, writers and
 * listeners, but for those that every Dropwizard program has, and resources at the same paths. An answer in front of Jersey would
 * pass it by, and it may be what keeps strangers out. Thread-safe.
 */
final class JerseyBystanders implements Feature, ApplicationEventListener {
    private static final List<Class<?>> KINDS = List.of(
            ContainerRequestFilter.class,
            ContainerResponseFilter.class,
            WriterInterceptor.class,
            MessageBodyWriter.class,
            DynamicFeature.class,
            ModelProcessor.class,
            ResourceMethodInvocationHandlerProvider.class,
            ApplicationEventListener.class);

    private static final String OWN = "org.idallocator.service.";

    /** Parts of Jersey's own. The filters that Jersey offers to programs are none of these. */
    private static final List<String> OF_JERSEY = List.of(
            "org.glassfish.jersey.message.internal.",
            "org.glassfish.jersey.jaxb.internal.",
            "org.glassfish.jersey.server.ChunkedResponseWriter",
            "org.glassfish.jersey.server.internal.",
            "org.glassfish.jersey.server.validation.internal.",
            "org.glassfish.jersey.server.wadl.");

    /** What Dropwizard registers in every program; none acts on what the routes have. */
    private static final Set<String> OF_DROPWIZARD = Set.of(
            "com.fasterxml.jackson.jakarta.rs.json.JacksonJsonProvider",
            "com.codahale.metrics.jersey3.InstrumentedResourceMethodApplicationListener",
            "io.dropwizard.jersey.DropwizardResourceConfig$ComponentLoggingListener",
            "io.dropwizard.jersey.caching.CacheControlledResponseFeature",
            "io.dropwizard.jersey.errors.EofExceptionWriterInterceptor",
            "io.dropwizard.jersey.guava.OptionalMessageBodyWriter",
            "io.dropwizard.jersey.jackson.JacksonMessageBodyProvider",
            "io.dropwizard.jersey.optional.OptionalDoubleMessageBodyWriter",
            "io.dropwizard.jersey.optional.OptionalIntMessageBodyWriter",
            "io.dropwizard.jersey.optional.OptionalLongMessageBodyWriter",
            "io.dropwizard.jersey.optional.OptionalMessageBodyWriter");

    private final List<String> paths;
    private volatile @Nullable InjectionManager manager;
    private volatile Optional<String> first = Optional.of("Jersey, which has not started,");

    /** {@code paths} are those of the IDs, as Jersey sees them. */
    JerseyBystanders(List<String> paths) {
        this.paths = paths;
    }

    /** One of them, for people; empty when there is none. Until Jersey has started, that this is not known. */
    Optional<String> first() {
        return first;
    }

    @Override
    public boolean configure(FeatureContext context) {
        manager = InjectionManagerProvider.getInjectionManager(context);
        return true;
    }

    @Override
    public void onEvent(ApplicationEvent event) {
        if (event.getType() == ApplicationEvent.Type.INITIALIZATION_FINISHED) {
            first = Stream.concat(providers(), handlers(event))
                    .filter(name -> !isKnown(name))
                    .sorted()
                    .findFirst();
        }
    }

    /** All that Jersey asks about each request, however that was registered. */
    private Stream<String> providers() {
        InjectionManager known = manager;
        return known == null
                ? Stream.of("what cannot be told")
                : KINDS.stream()
                        .flatMap(kind -> Providers.getAllServiceHolders(known, kind).stream())
                        .map(ServiceHolder::getImplementationClass)
                        .map(Class::getName);
    }

    /** What answers at the paths of the IDs, or at a path above these. */
    private Stream<String> handlers(ApplicationEvent event) {
        return event.getResourceModel().getRootResources().stream()
                .filter(this::isThere)
                .flatMap(resource -> Stream.concat(
                        resource.getHandlerClasses().stream(),
                        resource.getHandlerInstances().stream().map(Object::getClass)))
                .map(Class::getName);
    }

    private boolean isThere(Resource resource) {
        return paths.stream().anyMatch(path -> resource.getPathPattern().match(path) != null);
    }

    private static boolean isKnown(String name) {
        return name.startsWith(OWN)
                || OF_DROPWIZARD.contains(name)
                || OF_JERSEY.stream().anyMatch(name::startsWith);
    }

    @Override
    public @Nullable RequestEventListener onRequest(RequestEvent event) {
        return null;
    }
}
