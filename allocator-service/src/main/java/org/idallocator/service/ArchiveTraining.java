package org.idallocator.service;

import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLConnection;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.dropwizard.process.ExitStatus;

/**
 * The training run of a CDS archive, for {@code bin/id-allocator} and for the build of the image. It starts a service,
 * asks it some requests, and runs a command of each kind, all in one process. Its output does not matter. No service
 * runs this.
 */
final class ArchiveTraining {
    private static final String ID = "9q7qmwq2222dhi22";
    private static final String READY = "/health-check?name=all";
    private static final int TRIES = 600;
    private static final int PAUSE_MILLIS = 100;

    /**
     * Paths below {@code /ids/}. The slash at the end of {@code sno/} leads to Jersey, which also answers {@code sno}
     * where that request has to wait.
     */
    private static final List<String> DRAWS = List.of(
            "sno", "sno/", "sno?count=3", "muid?transaction=true&count=2", "uid60?form=decimal", "eightbyte", "gid");

    private static final List<String> OTHERS = List.of("/ids/sno/" + ID, "/ids/none", "/ids", "/leases", READY);

    private static final List<String> CALLS = List.of(
            "--help", "inspect " + ID, "inspect --json " + ID, "check", "generate sno -n 2", "leases list", "doctor");

    private ArchiveTraining() {}

    /**
     * Takes no arguments. {@code ID_ALLOCATOR_DATA} names the directory of the embedded ZooKeeper, which should be for
     * this run alone.
     */
    public static void main(String[] arguments) throws Exception {
        int port = listenOn("application");
        listenOn("admin");
        AllocatorApplication.main(new String[] {"server"});
        for (int i = 0; i < TRIES && !ask(port, READY, "*/*"); i++) {
            Thread.sleep(PAUSE_MILLIS);
        }
        Stream<String> draws = DRAWS.stream().map("/ids/"::concat);
        for (String path : Stream.concat(draws, OTHERS.stream()).toList()) {
            ask(port, path, "text/plain");
            ask(port, path, "application/json");
        }
        for (String call : CALLS) {
            AllocatorApplication.main(call.split(" ", -1));
        }
        System.exit(ExitStatus.DONE.code()); // the service would run on
    }

    /** Has a connector listen on a free port of the loopback interface; returns the port. */
    private static int listenOn(String connectors) throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            String key = "dw.server." + connectors + "Connectors[0].";
            System.setProperty(key + "bindHost", "127.0.0.1");
            System.setProperty(key + "port", Integer.toString(free.getLocalPort()));
            return free.getLocalPort();
        }
    }

    /** Reads an answer; returns whether it was a success with a body. */
    private static boolean ask(int port, String path, String type) throws IOException {
        URLConnection connection =
                URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
        connection.setRequestProperty("Accept", type);
        try (InputStream body = connection.getInputStream()) {
            return body.readAllBytes().length > 0;
        } catch (IOException e) {
            return false;
        }
    }
}
