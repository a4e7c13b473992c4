package org.idallocator.service.server;

import java.nio.channels.SelectableChannel;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.ids.Limit;

/**
 * Bounds how many connections all ports of a server have together, because each connection takes memory, and half a
 * request's head takes more. When the limit is reached, the server closes connections that have no request being
 * handled, the longest silent ones first. So clients that say nothing cannot keep others out. Where too few are silent,
 * others make way: a {@link BoundedHttpFactory.BoundedConnection} ends with an answer. So clients that ask without a
 * pause cannot, either. New connections wait in the operating system until some were closed. Thread-safe.
 *
 * <p>Jetty's NetworkConnectionLimit closes every connection that was silent for a second, and accepts none while no
 * connection is silent.
 */
final class ConnectionLimit implements SelectorManager.AcceptListener {
    /**
     * One in this many connections is closed at a time, and new ones are accepted when as many have gone. Finding the
     * silent ones means looking at all connections, which would be too much work for each new connection.
     */
    private static final int CLOSED_SHARE = 32;

    /** How long a connection has at least for sending a request before it may be closed. */
    private static final long MIN_IDLE_MILLIS = 100;

    /** How often a full server looks again for silent connections to close, and accepts new ones if any have gone. */
    private static final long LOOK_INTERVAL_MILLIS = 20;

    private final Server server;
    private final IdService ids;
    private final int maxOpen;
    private final int share;
    /**
     * How many connections are open. A closed connection counts until Jetty has forgotten it, together with what it had
     * sent.
     */
    private int open;

    private boolean full;
    private boolean looking;

    /** How many connections are to make way, because too few are silent. */
    private final AtomicInteger wanted = new AtomicInteger();

    /** Bounds connections to as many as {@code ids} allows for {@link Limit#CONNECTIONS}. */
    ConnectionLimit(Server server, IdService ids) {
        this.server = server;
        this.ids = ids;
        this.maxOpen = ids.limits().connections();
        this.share = Math.max(1, maxOpen / CLOSED_SHARE);
    }

    /** Whether connections are to make way, although they ask without a pause: nobody comes in until some do. */
    boolean isCrowded() {
        return wanted.get() > 0;
    }

    /** Has a connection make way that has had its turn, unless enough others do; returns whether it does. */
    boolean tryMakeWay() {
        boolean made = wanted.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        if (made) {
            ids.countBusy(Limit.CONNECTIONS);
        }
        return made;
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
        wanted.set(0);
        acceptors().forEach(each -> each.setAccepting(true));
    }

    /** The connectors that tell this of their connections, as {@link FrontHandlers} says. */
    private Stream<ServerConnector> acceptors() {
        return Arrays.stream(server.getConnectors())
                .filter(ServerConnector.class::isInstance)
                .map(ServerConnector.class::cast);
    }

    private void closeIdle() {
        List<AbstractEndPoint> connected = acceptors()
                .map(Connector::getConnectedEndPoints)
                .flatMap(Collection::stream)
                .filter(EndPoint::isOpen)
                .filter(AbstractEndPoint.class::isInstance)
                .map(AbstractEndPoint.class::cast)
                .toList();
        int notConnected = open - connected.size(); // accepted and not connected yet, or closed and not forgotten yet
        List<IdleConnection> silent = connected.stream()
                .flatMap(each -> idle(each).stream())
                .filter(each -> each.millis() > MIN_IDLE_MILLIS)
                .toList();
        long leaving = connected.stream()
                .filter(each -> hasMadeWay(each) && each.getIdleFor() <= MIN_IDLE_MILLIS)
                .count();
        int due = (int) Math.max(0, share - notConnected - leaving);
        wanted.set(Math.max(0, due - silent.size()));
        silent.stream()
                .sorted(Comparator.comparingLong(IdleConnection::millis).reversed())
                .limit(due)
                .forEach(each -> close(each.endPoint()));
    }

    /** A connection that had no whole request for {@code millis} milliseconds when it was looked at. */
    private record IdleConnection(EndPoint endPoint, long millis) {}

    private static Optional<IdleConnection> idle(AbstractEndPoint endPoint) {
        OptionalLong millis = ofHttp(endPoint).getConnection() instanceof BoundedHttpFactory.BoundedConnection bounded
                ? bounded.millisWithoutRequest()
                : OptionalLong.of(endPoint.getIdleFor()); // TLS that has not begun
        return millis.isPresent() ? Optional.of(new IdleConnection(endPoint, millis.getAsLong())) : Optional.empty();
    }

    /** Whether a connection has had its last answer. Its client may not have left yet. */
    private static boolean hasMadeWay(EndPoint endPoint) {
        return ofHttp(endPoint).isOutputShutdown();
    }

    /** The end point at which HTTP is spoken: that within TLS, or the same. */
    private static EndPoint ofHttp(EndPoint endPoint) {
        return endPoint.getConnection() instanceof SslConnection tls ? tls.getSslEndPoint() : endPoint;
    }

    private void close(EndPoint endPoint) {
        if (!hasMadeWay(endPoint)) { // else it is counted already
            ids.countBusy(Limit.CONNECTIONS);
        }
        endPoint.close();
    }
}
