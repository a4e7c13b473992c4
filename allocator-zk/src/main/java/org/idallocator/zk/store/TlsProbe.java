package org.idallocator.zk.store;

import com.google.common.base.Throwables;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ClientX509Util;
import org.apache.zookeeper.common.X509Exception;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out why a client has no connection to servers that speak TLS, with the keys and the certificates that the
 * client has. ZooKeeper's own client tells nobody: a certificate that has expired looks like a server that is away.
 * Takes two seconds for each server that finds nothing wrong, and up to eight for one that answers slowly.
 */
final class TlsProbe {
    private static final Logger LOG = LoggerFactory.getLogger(TlsProbe.class);
    private static final int CONNECT_MILLIS = 3_000;
    private static final int ANSWER_MILLIS = 2_000;

    private final List<InetSocketAddress> servers;
    private final ZKClientConfig client;

    /**
     * Asks nobody yet.
     *
     * @param servers those that may speak TLS
     * @param client the client's settings, as ZooKeeper's own client takes them
     */
    TlsProbe(List<InetSocketAddress> servers, ZKClientConfig client) {
        this.servers = List.copyOf(servers);
        this.client = client;
    }

    /**
     * Tries TLS with one server after the other. Returns what is wrong with the first with which it fails; empty where
     * it fails with none, or is not used.
     */
    Optional<String> findTrouble() {
        if (!client.getBoolean(ZKClientConfig.SECURE_CLIENT)) {
            return Optional.empty();
        }
        try (ClientX509Util tls = new ClientX509Util()) {
            SSLContext context = tls.createSSLContext(client);
            boolean checksHost = tls.isServerHostnameVerificationEnabled(client);
            return servers.stream()
                    .flatMap(server -> findTrouble(context, server, checksHost).stream())
                    .findFirst();
        } catch (X509Exception e) {
            LOG.debug("the client has no TLS", e);
            return Optional.of("the key store or trust store that zookeeper.properties names cannot be used: "
                    + Throwables.getRootCause(e).getMessage());
        }
    }

    private static Optional<String> findTrouble(SSLContext context, InetSocketAddress server, boolean checksHost) {
        InetSocketAddress resolved = new InetSocketAddress(server.getHostString(), server.getPort());
        try (Socket plain = new Socket()) {
            plain.connect(resolved, CONNECT_MILLIS);
            plain.setSoTimeout(CONNECT_MILLIS);
            // of an address without a name, the name that it has: as the client does
            handshake(context, plain, resolved.getHostName(), checksHost);
            return Optional.empty();
        } catch (SSLException e) {
            LOG.debug("TLS with {} fails", server, e);
            return Optional.of(
                    server.getHostString() + ":" + server.getPort() + " fails at TLS: " + Throwables.getRootCause(e));
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
}
