package org.idallocator.service.testing;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** Key pairs for TLS in a directory, each in a store of its own. */
public final class Keys {
    /** That of each store. */
    public static final String PASSWORD = "a-password-of-tests";

    private final Path directory;

    public Keys(Path directory) {
        this.directory = directory;
    }

    /** Makes a key pair with a certificate of its own for {@code localhost}. */
    public Keys make(String name, String subject) throws IOException, InterruptedException {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        String options =
                "-genkeypair -keyalg EC -ext san=dns:localhost -storetype PKCS12 -storepass:env STORE_PASSWORD";
        List<String> command = new ArrayList<>(List.of(keytool));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of(
                "-alias", name, "-dname", subject, "-keystore", store(name).toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(name + ".log").toFile());
        builder.environment().put("STORE_PASSWORD", PASSWORD);
        if (builder.start().waitFor() != 0) {
            throw new AssertionError(name + " has no keys: " + Files.readString(directory.resolve(name + ".log")));
        }
        return this;
    }

    /** Where a key pair is. */
    public Path store(String name) {
        return directory.resolve(name + ".p12");
    }

    /** A client that trusts the server with the keys of {@code server}, and shows the certificate of {@code own} where there is one. */
    public HttpClient client(String server, Optional<String> own) {
        SslContextFactory.Client tls = new SslContextFactory.Client();
        tls.setTrustStorePath(store(server).toString());
        tls.setTrustStorePassword(PASSWORD);
        tls.setKeyStorePassword(PASSWORD);
        own.ifPresent(name -> tls.setKeyStorePath(store(name).toString()));
        try {
            tls.start();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return HttpClient.newBuilder().sslContext(tls.getSslContext()).build();
    }
}
