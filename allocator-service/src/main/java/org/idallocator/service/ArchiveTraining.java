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
 * The training run of a CDS archive, for {@code bin/id-allocator} and the build of the image: a service that answers
 * some requests, and a call of each kind of command, in one process. What it prints does not matter. Never part of a
 * service.
 */
final class ArchiveTraining {
    private static final String ID = "9q7qmwq2222dhi22";
    private static final String READY = "/health-check?name=all";
    private static final int TRIES = 600;
    private static final int PAUSE_MILLIS = 100;

    /**
     * Below {@code /ids/}. Jersey answers the one with a slash at its end, as it does the first one where that has to
     * wait.
     */
    private static final List<String> DRAWS = List.of(
            "sno", "sno/", "sno?count=3", "muid?transaction=true&count=2", "uid60?form=decimal", "eightbyte", "gid");

    private static final List<String> OTHERS = List.of("/ids/sno/" + ID, "/ids/none", "/ids", "/leases", READY);

    private static final List<String> CALLS = List.of(
            "--help", "inspect " + ID, "inspect --json " + ID, "check", "generate sno -n 2", "leases list", "doctor");

    private ArchiveTraining() {}

    /**
     * Takes no arguments. The embedded ZooKeeper's directory is {@code ID_ALLOCATOR_DATA}, which should be one of its
     * own.
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

    /** Has a connector listen on a free port of this machine alone. */
    private static int listenOn(String connectors) throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            String key = "dw.server." + connectors + "Connectors[0].";
            System.setProperty(key + "bindHost", "127.0.0.1");
            System.setProperty(key + "port", Integer.toString(free.getLocalPort()));
            return free.getLocalPort();
        }
    }

    /** Reads an answer, and says whether it was one of success. */
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
