package com.example.shop;

import io.dropwizard.core.setup.Environment;
import io.dropwizard.lifecycle.Managed;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.glassfish.jersey.internal.inject.AbstractBinder;
import org.glassfish.jersey.process.Inflector;
import org.glassfish.jersey.server.model.Resource;
import org.glassfish.jersey.server.spi.internal.ResourceMethodInvocationHandlerProvider;

/** The ways in which a program keeps strangers from its paths: each answers all requests with 403. */
public enum Gatekeeper {
    /** Registered with Jersey. */
    JERSEY_FILTER {
        @Override
        public void guard(Environment environment) {
            environment.jersey().register(new Refusing());
        }
    },
    /** Bound, so that Jersey finds it. */
    BOUND_FILTER {
        @Override
        public void guard(Environment environment) {
            environment.jersey().register(new AbstractBinder() {
                @Override
                protected void configure() {
                    bind(new Refusing()).to(ContainerRequestFilter.class);
                }
            });
        }
    },
    /** A resource whose path is more specific than that of the routes. */
    RESOURCE {
        @Override
        public void guard(Environment environment) {
            environment.jersey().register(new Snos());
        }
    },
    /** A resource that is no class with annotations. */
    PROGRAMMATIC_RESOURCE {
        @Override
        public void guard(Environment environment) {
            Inflector<ContainerRequestContext, Response> refusing =
                    request -> Response.status(FORBIDDEN).build();
            Resource.Builder snos = Resource.builder("/ids/sno");
            snos.addMethod("GET").handledBy(refusing);
            environment.jersey().getResourceConfig().registerResources(snos.build());
        }
    },
    /** What calls the methods of resources. */
    INVOCATION_HANDLER {
        @Override
        public void guard(Environment environment) {
            environment.jersey().register(new AbstractBinder() {
                @Override
                protected void configure() {
                    ResourceMethodInvocationHandlerProvider provider = invocable -> (resource, method, arguments) ->
                            Response.status(FORBIDDEN).build();
                    bind(provider).to(ResourceMethodInvocationHandlerProvider.class);
                }
            });
        }
    },
    /** A filter of servlets. */
    SERVLET_FILTER {
        @Override
        public void guard(Environment environment) {
            environment
                    .servlets()
                    .addFilter("refusing", new RefusingFilter())
                    .addMappingForUrlPatterns(null, false, "/ids/*");
        }
    },
    /** The same, added by somebody who hears of the start later than others. */
    LATE_SERVLET_FILTER {
        @Override
        public void guard(Environment environment) {
            environment.lifecycle().addEventListener(new LifeCycle.Listener() {
                @Override
                public void lifeCycleStarting(LifeCycle event) {
                    event.addEventListener(new LifeCycle.Listener() {
                        @Override
                        public void lifeCycleStarted(LifeCycle started) {
                            SERVLET_FILTER.guard(environment);
                        }
                    });
                }
            });
        }
    },
    /** A servlet in front of Jersey's. */
    SERVLET {
        @Override
        public void guard(Environment environment) {
            environment.servlets().addServlet("refusing", new RefusingServlet()).addMapping("/ids/sno");
        }
    },
    /** A handler of Jetty's. */
    HANDLER {
        @Override
        public void guard(Environment environment) {
            environment.getApplicationContext().insertHandler(new RefusingHandler());
        }
    },
    /** The same, added while the server starts. */
    LATE_HANDLER {
        @Override
        public void guard(Environment environment) {
            environment.lifecycle().manage(new Managed() {
                @Override
                public void start() {
                    HANDLER.guard(environment);
                }
            });
        }
    };

    private static final int FORBIDDEN = 403;

    /** Adds it to a program. */
    public abstract void guard(Environment environment);

    private static final class Refusing implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            request.abortWith(Response.status(FORBIDDEN).build());
        }
    }

    /** Answers for one scheme. */
    @Path("/ids/sno")
    public static final class Snos {
        @GET
        public Response get() {
            return Response.status(FORBIDDEN).build();
        }
    }

    private static final class RefusingFilter implements Filter {
        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) {
            ((HttpServletResponse) response).setStatus(FORBIDDEN);
        }
    }

    private static final class RefusingServlet extends jakarta.servlet.http.HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        public void service(ServletRequest request, ServletResponse response) throws ServletException, IOException {
            ((HttpServletResponse) response).setStatus(FORBIDDEN);
        }
    }

    private static final class RefusingHandler extends Handler.Wrapper {
        @Override
        public boolean handle(Request request, org.eclipse.jetty.server.Response response, Callback callback) {
            response.setStatus(FORBIDDEN);
            callback.succeeded();
            return true;
        }
    }
}
