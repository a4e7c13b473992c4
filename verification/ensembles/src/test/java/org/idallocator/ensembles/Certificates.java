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
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Certificates that are made for a test, by the JDK's keytool, each signed by itself, unless another signs it. */
final class Certificates {
    static final String PASSWORD = "not-so-secret-" + "keys";

    private final Path directory;
    private final Map<String, Process> making = new TreeMap<>();

    Certificates(Path directory) {
        this.directory = directory;
    }

    /** Begins to make a key and its certificate for these hosts. {@code options} are keytool's. */
    void make(String name, String hosts, String... options) throws IOException {
        making.put(
                name,
                start(
                        name,
                        name,
                        Stream.concat(
                                        Stream.of(
                                                "-genkeypair",
                                                "-alias",
                                                name,
                                                "-keyalg",
                                                "EC",
                                                "-dname",
                                                "CN=" + name,
                                                "-ext",
                                                "SAN=" + hosts),
                                        Stream.of(options))
                                .toList()));
    }

    /** Has one key's certificate signed anew by another; waits until both are made. {@code options} are keytool's. */
    void sign(String name, String by, String... options) throws Exception {
        var unusedKeys = load(name);
        var unusedSigner = load(by);
        String request = directory.resolve(name + ".csr").toString();
        String signed = directory.resolve(name + ".crt").toString();
        await(name, start(name, name, List.of("-certreq", "-alias", name, "-file", request)));
        List<String> signing = new ArrayList<>(
                List.of("-gencert", "-alias", by, "-infile", request, "-outfile", signed, "-ext", "honored=all"));
        signing.addAll(List.of(options));
        await(name, start(by, name, signing));
        String authority = directory.resolve(by + ".crt").toString();
        await(name, start(by, name, List.of("-exportcert", "-alias", by, "-file", authority)));
        await(name, start(name, name, List.of("-importcert", "-noprompt", "-alias", by, "-file", authority)));
        await(name, start(name, name, List.of("-importcert", "-noprompt", "-alias", name, "-file", signed)));
    }

    private Process start(String keys, String log, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-J-XX:TieredStopAtLevel=1"));
        command.addAll(arguments);
        command.addAll(List.of(
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                keys(keys).toString()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve(log + ".keytool").toFile()))
                .start();
    }

    private void await(String log, Process keytool) throws IOException, InterruptedException {
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException(Files.readString(directory.resolve(log + ".keytool")));
        }
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
        await(name, Objects.requireNonNull(making.get(name), name));
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys(name))) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }
}
