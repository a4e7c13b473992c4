package org.idallocator.empty;

import com.codahale.metrics.health.HealthCheck;
import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.FutureTask;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * The least application that has what the service cannot do without: Dropwizard with a health check, a ZooKeeper in its
 * process, and two sessions there, which write as often as those of the service do before its first sno: one for the
 * layouts of a new root, one for a lease. It answers one word at one path, as soon as all is written. The ZooKeeper
 * starts beside Dropwizard, as that of the service does.
 */
public final class EmptyApplication extends Application<Configuration> {
    private static final int TICK_MILLIS = 500;
    private static final int UNLIMITED = 0;
    private static final int RETRY_MILLIS = 100;
    private static final int LAYOUTS = 15;
    private static final int LEASES = 3;

    private final FutureTask<String> written = new FutureTask<>(EmptyApplication::write);

    public static void main(String[] arguments) throws Exception {
        new EmptyApplication().run(arguments);
    }

    @Override
    public void initialize(Bootstrap<Configuration> bootstrap) {
        new Thread(written, "zookeeper").start();
    }

    @Override
    public void run(Configuration configuration, Environment environment) {
        environment.jersey().register(new Word(written));
        environment.healthChecks().register("written", new HealthCheck() {
            @Override
            protected Result check() {
                return written.isDone() ? Result.healthy() : Result.unhealthy("not yet");
            }
        });
    }

    /** Starts a ZooKeeper on the data that the service would have, and writes the nodes, one after the other. */
    private static String write() throws Exception {
        File data = new File(System.getenv("ID_ALLOCATOR_DATA"));
        ServerCnxnFactory connections =
                ServerCnxnFactory.createFactory(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), UNLIMITED);
        connections.startup(new ZooKeeperServer(data, data, TICK_MILLIS));
        String connect = "127.0.0.1:" + connections.getLocalPort();
        CuratorFramework first = session(connect);
        for (int i = 0; i < LAYOUTS; i++) {
            first.create().forPath("/layout" + i);
        }
        new Thread(first::close, "closing").start(); // as the service does
        CuratorFramework second = session(connect);
        for (int i = 0; i < LEASES; i++) {
            second.create().forPath("/lease" + i);
        }
        return "word\n";
    }

    private static CuratorFramework session(String connect) {
        CuratorFramework session = CuratorFrameworkFactory.builder()
                .connectString(connect)
                .retryPolicy(new RetryOneTime(RETRY_MILLIS))
                .ensembleTracker(false)
                .build();
        session.start();
        return session;
    }

    /** The one resource. */
    @Path("/word")
    public static final class Word {
        private final FutureTask<String> written;

        Word(FutureTask<String> written) {
            this.written = written;
        }

        @GET
        @Produces(MediaType.TEXT_PLAIN)
        public String get() throws Exception {
            return written.get();
        }
    }
}
