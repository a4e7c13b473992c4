package org.idallocator.ensembles;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Certificates that are made for a test, by the JDK's keytool, each signed by itself. */
final class Certificates {
    static final String PASSWORD = "not-so-secret-" + "keys";

    private final Path directory;
    private final Map<String, Process> making = new TreeMap<>();

    Certificates(Path directory) {
        this.directory = directory;
    }

    /** Begins to make a key and its certificate for these hosts. {@code options} are keytool's. */
    void make(String name, String hosts, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "SAN=" + hosts,
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                keys(name).toString()));
        command.addAll(List.of(options));
        making.put(
                name,
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve(name + ".keytool").toFile())
                        .start());
    }

    /** Where a key is, with its certificate. */
    Path keys(String name) {
        return directory.resolve(name + ".p12");
    }

    /** A trust store with these certificates; waits until they are made. */
    Path trust(String name, String... trusted) throws IOException, GeneralSecurityException, InterruptedException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (String each : trusted) {
            store.setCertificateEntry(each, load(each).getCertificate(each));
        }
        Path path = keys(name);
        try (OutputStream out = Files.newOutputStream(path)) {
            store.store(out, PASSWORD.toCharArray());
        }
        return path;
    }

    /** A key store; waits until it is made. */
    KeyStore load(String name) throws IOException, GeneralSecurityException, InterruptedException {
        Process keytool = making.get(name);
        if (keytool == null || keytool.waitFor() != 0) {
            throw new IllegalStateException(Files.readString(directory.resolve(name + ".keytool")));
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys(name))) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }
}
