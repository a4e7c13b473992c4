package org.idallocator.dropwizard.embedded;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.zookeeper.client.ZKClientConfig;
import org.idallocator.core.clock.Clock;
import org.idallocator.dropwizard.api.Catalogue.ZooKeeperEntry;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Terms;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ZooKeeper that a configuration names: one that runs elsewhere, or the embedded one of a directory. One process at
 * a time runs the embedded ZooKeeper of a directory. Other processes on that machine use it as clients, and one of them
 * takes over when that process ends. Closing this ends the use. Thread-safe.
 */
public final class ZooKeeperInUse implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperInUse.class);

    private final AllocatorSettings settings;

    /** Empty when the ZooKeeper runs elsewhere. */
    private final Optional<DirectoryUse> embedded;

    private ZooKeeperInUse(AllocatorSettings settings, Optional<DirectoryUse> embedded) {
        this.settings = settings;
        this.embedded = embedded;
    }

    /**
     * Begins to load the classes that ZooKeeper's client needs for TLS, on another thread. The client needs them even
     * without TLS, and loading takes a tenth of a second.
     */
    public static void loadClient() {
        var unused = CompletableFuture.runAsync(ZKClientConfig::new);
    }

    /**
     * Checks the whole section. If the section enables an embedded ZooKeeper, starts it, or uses the one that runs
     * already, and waits until it serves.
     *
     * @throws IllegalArgumentException naming the bad value and what is allowed; nothing was started
     * @throws EmbeddedStartException when the embedded ZooKeeper cannot start, and none can be found
     */
    public static ZooKeeperInUse open(AllocatorSection section) {
        AllocatorSettings settings = section.settings();
        DirectoryUse.AtFirst promise = (first, lastChange) ->
                promiseNewRoot(settings.onEmbedded(first.connect(), first.identity()), lastChange);
        return open(section, directory -> DirectoryUse.open(directory, promise, DirectoryUse.PATIENCE));
    }

    /** Begins {@link #open} on a daemon thread, which does not keep the process from ending. */
    public static CompletableFuture<ZooKeeperInUse> openAhead(AllocatorSection section) {
        return CompletableFuture.supplyAsync(() -> open(section), work -> {
            Thread thread = new Thread(work, "zookeeper-opening");
            thread.setDaemon(true);
            thread.start();
        });
    }

    /**
     * Opens as {@link #open} does, but without promising that a new embedded ZooKeeper has a new root. For the command
     * by which an operator promises that.
     *
     * @throws IllegalArgumentException naming the bad value and what is allowed; nothing was started
     * @throws EmbeddedStartException when the embedded ZooKeeper cannot start, and none can be found
     */
    public static ZooKeeperInUse openWithoutPromise(AllocatorSection section) {
        return open(
                section,
                directory -> DirectoryUse.open(directory, DirectoryUse.AtFirst.NOTHING, DirectoryUse.PATIENCE));
    }

    /**
     * Opens as {@link #open} does, but requires that an embedded ZooKeeper has data. For commands that change what is
     * there.
     *
     * @throws IllegalArgumentException naming the bad value and what is allowed; nothing was started
     * @throws EmbeddedStartException when the embedded ZooKeeper cannot start, or no service has run on it; nothing was
     *     made
     */
    public static ZooKeeperInUse openExisting(AllocatorSection section) {
        return open(section, DirectoryUse::openExisting);
    }

    /**
     * Opens as {@link #open} does, but requires that another process runs the embedded ZooKeeper. For commands that
     * only read.
     *
     * @throws IllegalArgumentException naming the bad value and what is allowed
     * @throws EmbeddedStartException when no process runs the embedded ZooKeeper; nothing was made
     */
    public static ZooKeeperInUse openRunning(AllocatorSection section) {
        return open(section, DirectoryUse::openRunning);
    }

    private static ZooKeeperInUse open(AllocatorSection section, Function<DataDirectory, DirectoryUse> use) {
        AllocatorSettings settings = section.settings();
        if (!section.embedded().isEnabled()) {
            return new ZooKeeperInUse(settings, Optional.empty());
        }
        DirectoryUse used = use.apply(new DataDirectory(section.embedded().dataDir()));
        Address address = used.address();
        return new ZooKeeperInUse(settings.onEmbedded(address.connect(), address.identity()), Optional.of(used));
    }

    /**
     * Promises that the root is new, so that the first replica need not wait for a floor. The data were just made, so
     * no replica of the root runs, once a process has ended whose data somebody removed a moment ago. With windows
     * longer than a session this promises nothing: somebody may have removed the data of a paused process, which still
     * issues IDs. If ZooKeeper does not take the promise, replicas wait.
     */
    private static void promiseNewRoot(AllocatorSettings settings, Instant lastChange) {
        Terms terms = settings.terms();
        if (terms.window().compareTo(terms.sessionTimeout()) > 0) {
            LOG.warn(
                    "the first IDs come {} s after this first start: windows are longer than the session timeout",
                    terms.ahead().toSeconds());
            return;
        }
        DirectoryUse.awaitLaterTick(lastChange, Clock.system());
        try {
            FirstStart.withoutWaiting(settings);
        } catch (UnreachableException e) {
            LOG.warn("the embedded ZooKeeper did not take the new root; the first IDs come later", e);
        }
    }

    /** The settings for an allocator, with the address of this ZooKeeper. */
    public AllocatorSettings settings() {
        return settings;
    }

    /** What the catalogue says of this ZooKeeper. */
    public ZooKeeperEntry entry() {
        Optional<String> host = embedded.map(own -> own.address().host());
        return new ZooKeeperEntry(host.isPresent(), host, settings.zookeeper().root());
    }

    /** Which ZooKeeper this is, in words: the address, the directory of an embedded one, and the root. */
    public String description() {
        return "ZooKeeper " + settings.zookeeper().connect()
                + embedded.map(own -> ", embedded, in " + own.directory().path().toAbsolutePath())
                        .orElse("")
                + ", root " + settings.zookeeper().root();
    }

    @Override
    public void close() {
        embedded.ifPresent(DirectoryUse::close);
    }
}
