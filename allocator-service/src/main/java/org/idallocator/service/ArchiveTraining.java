package org.idallocator.service;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.server.Server;
import org.idallocator.service.cli.terminal.StandardStreams;
import org.idallocator.service.console.NetworkPort;
import org.idallocator.service.health.FatalErrors;
import org.idallocator.zk.IdAllocator;

/**
 * What {@code bin/id-allocator}, and the build of the image, have Java run when they make an archive of classes: a service that
 * answers some requests, and one call of each kind of command, in one process. Prints nothing that matters. Never part of a
 * service.
 */
final class ArchiveTraining {
    private static final String ID = "9q7qmwq2222dhi22";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<String> CONNECTORS = List.of("applicationConnectors", "adminConnectors");
    private static final List<String> REQUESTS = List.of(
            "/ids/sno",
            "/ids/sno/", // by Jersey, as the first one is where it has to wait
            "/ids/sno?count=3",
            "/ids/muid?transaction=true&count=2",
            "/ids/uid60?form=decimal",
            "/ids/eightbyte",
            "/ids/gid",
            "/ids/sno/" + ID,
            "/ids/none",
            "/ids",
            "/leases",
            "/health-check?name=all");
    private static final List<List<String>> CALLS = List.of(
            List.of("--help"),
            List.of("inspect", ID),
            List.of("inspect", "--json", "-"),
            List.of("check"),
            List.of("generate", "sno", "-n", "2"),
            List.of("doctor")); // the last one: it fails, as no ZooKeeper runs any more, and that ends the process

    private ArchiveTraining() {}

    /**
     * Takes no arguments. The embedded ZooKeeper's directory is {@code ID_ALLOCATOR_DATA}, which should be one of its own. The
     * service listens on free ports of the loopback interface.
     */
    public static void main(String[] arguments) throws Exception {
        FatalErrors.install(); // as the program itself
        serve();
        for (List<String> call : CALLS) {
            System.out.println(call);
            new AllocatorApplication(streams()).run(call.toArray(String[]::new));
        }
    }

    private static StandardStreams streams() {
        return new StandardStreams(
                new ByteArrayInputStream(ID.getBytes(StandardCharsets.UTF_8)),
                OutputStream.nullOutputStream(),
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                false,
                false);
    }

    private static void serve() throws Exception {
        for (String connectors : CONNECTORS) {
            System.setProperty("dw.server." + connectors + "[0].bindHost", "127.0.0.1");
            System.setProperty("dw.server." + connectors + "[0].port", "0");
        }
        CompletableFuture<Started> started = new CompletableFuture<>();
        new AllocatorApplication(streams(), (server, allocator) -> started.complete(new Started(server, allocator)))
                .run("server"); // returns when the server listens, or ends the process
        started.join().answerAndStop();
    }

    /** A service that listens. */
    private record Started(Server server, IdAllocator allocator) {

        void answerAndStop() throws Exception {
            try {
                allocator.awaitReady(PATIENCE);
                int port = NetworkPort.application(server).orElseThrow().port();
                for (String path : REQUESTS) {
                    for (String type : List.of("text/plain", "application/json")) {
                        System.out.println(path + " " + ask(port, path, type));
                    }
                }
            } finally {
                server.stop();
            }
        }

        private static int ask(int port, String path, String type) throws IOException {
            HttpURLConnection connection = (HttpURLConnection)
                    URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
            connection.setConnectTimeout((int) PATIENCE.toMillis());
            connection.setReadTimeout((int) PATIENCE.toMillis());
            connection.setRequestProperty("Accept", type);
            int status = connection.getResponseCode();
            if (status == HttpURLConnection.HTTP_OK) {
                try (InputStream body = connection.getInputStream()) {
                    body.readAllBytes();
                }
            }
            return status;
        }
    }
}
