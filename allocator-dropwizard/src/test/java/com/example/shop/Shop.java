package com.example.shop;

import com.codahale.metrics.health.HealthCheck;
import io.dropwizard.core.Application;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import org.idallocator.dropwizard.IdAllocatorBundle;
import org.idallocator.dropwizard.config.AllocatorSection;

/** A program that somebody else wrote: it numbers its orders with the allocator, and all else in it is its own. */
public class Shop extends Application<ShopConfiguration> {
    private final IdAllocatorBundle<ShopConfiguration> ids = new IdAllocatorBundle<>() {
        @Override
        protected AllocatorSection section(ShopConfiguration configuration) {
            return configuration.ids();
        }

        @Override
        protected boolean routes() {
            return withRoutes();
        }

        @Override
        protected boolean adminServlets() {
            return withAdminServlets();
        }
    };

    /** Sells IDs as well. */
    public static final class WithRoutes extends Shop {
        @Override
        boolean withRoutes() {
            return true;
        }

        /** Keeps strangers from all its paths. */
        @Override
        public void run(ShopConfiguration configuration, Environment environment) {
            super.run(configuration, environment);
            environment.jersey().register(new Gatekeeper());
        }
    }

    private static final class Gatekeeper implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            if (request.getHeaderString("X-Stranger") != null) {
                request.abortWith(Response.status(Response.Status.FORBIDDEN).build());
            }
        }
    }

    /** Has pages of its own on the admin port. */
    public static final class WithOwnPages extends Shop {
        @Override
        boolean withAdminServlets() {
            return false;
        }

        @Override
        public void run(ShopConfiguration configuration, Environment environment) {
            super.run(configuration, environment);
            environment
                    .admin()
                    .addServlet("own", new HttpServlet() {
                        @Override
                        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                                throws IOException {
                            response.getWriter().print("the shop's own");
                        }
                    })
                    .addMapping("/prometheus", "/leases/*");
        }
    }

    boolean withRoutes() {
        return false;
    }

    boolean withAdminServlets() {
        return true;
    }

    IdAllocatorBundle<ShopConfiguration> ids() {
        return ids;
    }

    @Override
    public void initialize(Bootstrap<ShopConfiguration> bootstrap) {
        bootstrap.addBundle(ids);
        bootstrap.addCommand(new OpenCommand());
    }

    @Override
    public void run(ShopConfiguration configuration, Environment environment) {
        environment
                .jersey()
                .register(
                        new OrderResource(configuration.name(), ids.allocator().sno()));
        environment.healthChecks().register("stock", new HealthCheck() {
            @Override
            protected Result check() {
                return Result.healthy();
            }
        });
        environment.metrics().counter("shop.visitors").inc();
    }
}
