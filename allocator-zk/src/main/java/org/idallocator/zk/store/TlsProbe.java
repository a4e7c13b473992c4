package org.idallocator.zk.store;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.X509Exception;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out why a client has no connection to servers that speak TLS, with the keys and the certificates that the client has.
 * ZooKeeper's own client tells nobody: a certificate that has expired looks like a server that is away. Takes two seconds for
 * each server that finds nothing wrong, and up to eight for one that answers slowly.
 */
final class TlsProbe {
    private static final Logger LOG = LoggerFactory.getLogger(TlsProbe.class);
    private static final int CONNECT_MILLIS = 3_000;
    private static final int ANSWER_MILLIS = 2_000;

    private final ZooKeeperSettings settings;
    private final ZKClientConfig client;

    TlsProbe(ZooKeeperSettings settings) {
        this.settings = settings;
        this.client = Clients.properties(settings);
    }

    /** Whether the client speaks TLS at all. */
    boolean applies() {
        return Boolean.parseBoolean(
                client.getProperty(ZKClientConfig.SECURE_CLIENT, "false").trim());
    }

    /** What is wrong with the first server of the connect string with which TLS fails; empty where it fails with none. */
    Optional<String> trouble() {
        if (!applies()) {
            return Optional.empty();
        }
        try (ClientX509Util tls = new ClientX509Util()) {
            SSLContext context = tls.createSSLContext(client);
            boolean checksHost = tls.isServerHostnameVerificationEnabled(client);
            return new ConnectStringParser(settings.connect())
                    .getServerAddresses().stream()
                            .flatMap(server -> trouble(context, server, checksHost).stream())
                            .findFirst();
        } catch (X509Exception e) {
            LOG.debug("the client has no TLS", e);
            return Optional.of("the key store or trust store that zookeeper.properties names cannot be used: "
                    + last(e).getMessage());
        }
    }

    private static Optional<String> trouble(SSLContext context, InetSocketAddress server, boolean checksHost) {
        InetSocketAddress resolved = new InetSocketAddress(server.getHostString(), server.getPort());
        String host = resolved.getHostName(); // of an address without a name, the name that it has: as the client does
        try (Socket plain = new Socket()) {
            plain.connect(resolved, CONNECT_MILLIS);
            plain.setSoTimeout(CONNECT_MILLIS);
            handshake(context, plain, host, checksHost);
            return Optional.empty();
        } catch (SSLException e) {
            LOG.debug("TLS with {} fails", server, e);
            return Optional.of(server.getHostString() + ":" + server.getPort() + " " + inWords(e, host));
        } catch (IOException e) {
            LOG.debug("{} is away", server, e);
            return Optional.empty();
        }
    }

    /** A server that refuses the client's certificate says so after the handshake, and to one that it takes nothing. */
    private static void handshake(SSLContext context, Socket plain, String host, boolean checksHost)
            throws IOException {
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(plain, host, plain.getPort(), true)) {
            SSLParameters parameters = socket.getSSLParameters();
            if (checksHost) {
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
            }
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            socket.setSoTimeout(ANSWER_MILLIS);
            var unused = socket.getInputStream().read();
        } catch (SocketTimeoutException e) {
            LOG.debug("nothing is refused", e);
        }
    }

    private static String inWords(SSLException e, String host) {
        List<Throwable> causes = causes(e).toList();
        if (causes.stream().anyMatch(CertificateExpiredException.class::isInstance)) {
            return "has a certificate that has expired (" + last(e).getMessage() + "): give the server another";
        }
        if (causes.stream().anyMatch(CertificateNotYetValidException.class::isInstance)) {
            return "has a certificate that is not valid yet (" + last(e).getMessage()
                    + "): correct the clock, or the certificate";
        }
        String said = causes.stream().map(each -> each.getMessage() + " ").reduce("", String::concat);
        if (said.contains("certification path") || said.contains("trustAnchors")) {
            return "has a certificate of nobody in the trust store: add who has signed it";
        }
        if (last(e) instanceof CertificateException) {
            return "has a certificate for another host than " + host + " (" + last(e).getMessage()
                    + "): name the server in zookeeper.connect as its certificate does, or give it another";
        }
        if (said.contains("fatal alert")) {
            return "refuses this client's certificate, or its TLS (" + last(e).getMessage()
                    + "): correct zookeeper.ssl.keyStore in zookeeper.properties";
        }
        if (said.contains("Unsupported or unrecognized SSL message")) {
            return "speaks no TLS: name its secureClientPort in zookeeper.connect";
        }
        return "fails at TLS (" + last(e).getMessage() + ")";
    }

    private static Stream<Throwable> causes(Throwable e) {
        return Stream.iterate(e, each -> each != null, Throwable::getCause);
    }

    private static Throwable last(Throwable e) {
        return causes(e).reduce(e, (before, after) -> after);
    }
}
