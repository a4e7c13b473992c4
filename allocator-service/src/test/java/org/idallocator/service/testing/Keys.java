package org.idallocator.service.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

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
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(read(server));
            KeyManagerFactory shown = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            if (own.isPresent()) {
                shown.init(read(own.get()), PASSWORD.toCharArray());
            } else {
                shown.init(null, null);
            }
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(shown.getKeyManagers(), trust.getTrustManagers(), null);
            return HttpClient.newBuilder().sslContext(tls).build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private KeyStore read(String name) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store(name))) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }
}
