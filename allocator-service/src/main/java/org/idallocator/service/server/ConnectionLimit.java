package org.idallocator.service.server;

import java.nio.channels.SelectableChannel;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.ids.Limit;

/**
 * Bounds the connections of all ports of a server together, as each takes memory, and whoever sends half a request's
 * head takes more. Nobody is kept out by others who say nothing: at the limit, those go that were silent for longest,
 * of those with no request that is being handled. New ones wait in the operating system until these have gone.
 * Thread-safe.
 *
 * <p>Jetty's NetworkConnectionLimit makes all connections go that are silent for a second, and lets nobody in while
 * none is.
 */
final class ConnectionLimit implements SelectorManager.AcceptListener {
    /**
     * One in so many goes at a time, and new ones come in again when as many have gone: those that may go are looked
     * for among all, which must not be done for each that comes.
     */
    private static final int CLOSED_SHARE = 32;

    /** So long a new connection has at least to send a request. */
    private static final long MIN_IDLE_MILLIS = 100;

    /**
     * After which time it is looked again for those that may go, where there were none; and new ones come in where any
     * have gone.
     */
    private static final long LOOK_INTERVAL_MILLIS = 20;

    private final Server server;
    private final IdService ids;
    private final int maxOpen;
    private final int share;
    /** Those that are closed count until Jetty has forgotten them, and with them what they had sent. */
    private int open;

    private boolean full;
    private boolean looking;

    /** A limit of as many connections as {@code ids} has for one. */
    ConnectionLimit(Server server, IdService ids) {
        this.server = server;
        this.ids = ids;
        this.maxOpen = ids.limits().connections();
        this.share = Math.max(1, maxOpen / CLOSED_SHARE);
    }

    @Override
    public synchronized void onAccepting(SelectableChannel channel) {
        open++;
        if (open >= maxOpen && !full) {
            full = true;
            acceptors().forEach(each -> each.setAccepting(false));
            closeIdle();
            if (!looking) {
                looking = true;
                scheduleLook();
            }
        }
    }

    private void scheduleLook() {
        server.getScheduler().schedule(this::look, LOOK_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    private synchronized void look() {
        if (full && open < maxOpen) {
            acceptAgain();
        }
        looking = full;
        if (full) {
            scheduleLook();
            closeIdle();
        }
    }

    @Override
    public synchronized void onAcceptFailed(SelectableChannel channel, Throwable cause) {
        countClosed();
    }

    @Override
    public synchronized void onClosed(SelectableChannel channel) {
        countClosed();
    }

    private void countClosed() {
        open--;
        if (full && open <= maxOpen - share) {
            acceptAgain();
        }
    }

    private void acceptAgain() {
        full = false;
        acceptors().forEach(each -> each.setAccepting(true));
    }

    private Stream<AbstractConnector> acceptors() {
        return Arrays.stream(server.getConnectors())
                .filter(AbstractConnector.class::isInstance)
                .map(AbstractConnector.class::cast);
    }

    private void closeIdle() {
        List<AbstractEndPoint> connected = acceptors()
                .map(Connector::getConnectedEndPoints)
                .flatMap(Collection::stream)
                .filter(EndPoint::isOpen)
                .filter(AbstractEndPoint.class::isInstance)
                .map(AbstractEndPoint.class::cast)
                .toList();
        int notConnected = open - connected.size(); // to be there, or to be forgotten
        connected.stream()
                .flatMap(each -> idle(each).stream())
                .filter(each -> each.millis() > MIN_IDLE_MILLIS)
                .sorted(Comparator.comparingLong(IdleConnection::millis).reversed())
                .limit(Math.max(0, share - notConnected))
                .forEach(each -> close(each.endPoint()));
    }

    /** What was without a whole request for so long when it was looked at. */
    private record IdleConnection(EndPoint endPoint, long millis) {}

    private static Optional<IdleConnection> idle(AbstractEndPoint endPoint) {
        Connection connection = endPoint.getConnection();
        Connection http =
                connection instanceof SslConnection tls ? tls.getSslEndPoint().getConnection() : connection;
        OptionalLong millis = http instanceof BoundedHttpFactory.BoundedConnection bounded
                ? bounded.millisWithoutRequest()
                : OptionalLong.of(endPoint.getIdleFor()); // TLS that has not begun
        return millis.isPresent() ? Optional.of(new IdleConnection(endPoint, millis.getAsLong())) : Optional.empty();
    }

    private void close(EndPoint endPoint) {
        ids.countBusy(Limit.CONNECTIONS);
        endPoint.close();
    }
}
