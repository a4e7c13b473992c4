package org.idallocator.empty;

import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.setup.Environment;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** The least that a Dropwizard application can be: it answers one word at one path. */
public final class EmptyApplication extends Application<Configuration> {
    public static void main(String[] arguments) throws Exception {
        new EmptyApplication().run(arguments);
    }

    @Override
    public void run(Configuration configuration, Environment environment) {
        environment.jersey().register(new Word());
    }

    /** The one resource. */
    @Path("/word")
    public static final class Word {
        @GET
        @Produces(MediaType.TEXT_PLAIN)
        public String get() {
            return "word\n";
        }
    }
}
