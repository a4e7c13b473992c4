package org.idallocator.dropwizard.testing;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** Makes a key pair with a certificate of its own for {@code localhost}, by the command of docs/deploying.md. */
    public Keys make(String name, String subject) throws IOException, InterruptedException {
        String command = Files.readString(Path.of("..", "docs", "deploying.md"))
                .split("\n(?=keytool )", 2)[1]
                .split("\n```", 2)[0]
                .replace("-alias replica", "-alias " + name)
                .replace("CN=ids.example.com", subject)
                .replace("dns:ids.example.com", "dns:localhost")
                .replace("replica.p12", store(name).toString());
        ProcessBuilder builder = new ProcessBuilder("sh", "-euc", command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(name + ".log").toFile());
        builder.environment()
                .put("PATH", Path.of(System.getProperty("java.home"), "bin") + ":" + System.getenv("PATH"));
        builder.environment().put("KEY_STORE_PASSWORD", PASSWORD);
        if (builder.start().waitFor() != 0) {
            throw new AssertionError(name + " has no keys: " + Files.readString(directory.resolve(name + ".log")));
        }
        return this;
    }

    /** Where a key pair is. */
    public Path store(String name) {
        return directory.resolve(name + ".p12");
    }

    /**
     * A client that trusts the server with the keys of {@code server}, and shows the certificate of {@code own} where
     * there is one.
     */
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
