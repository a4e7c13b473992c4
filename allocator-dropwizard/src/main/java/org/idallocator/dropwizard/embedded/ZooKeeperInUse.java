package org.idallocator.dropwizard.embedded;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.zookeeper.client.ZKClientConfig;
import org.idallocator.dropwizard.api.Catalogue.ZooKeeperEntry;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Terms;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ZooKeeper that a configuration names: one that runs elsewhere, or an embedded one. One process at a time runs the
 * embedded one of a directory. Others on that machine use the same one, and one of them takes over when that process
 * ends. Closing this ends the use.
 */
public final class ZooKeeperInUse implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperInUse.class);

    private final AllocatorSettings settings;

    /** Empty where the ZooKeeper runs elsewhere. */
    private final Optional<DirectoryUse> embedded;

    private ZooKeeperInUse(AllocatorSettings settings, Optional<DirectoryUse> embedded) {
        this.settings = settings;
        this.embedded = embedded;
    }

    /**
     * Begins to load what ZooKeeper's client needs for TLS, also where nobody uses that, which takes a tenth of a
     * second.
     */
    public static void loadClient() {
        var unused = CompletableFuture.runAsync(ZKClientConfig::new);
    }

    /**
     * Checks the whole section. Where it enables an embedded ZooKeeper, starts that, or uses the one that runs already,
     * and waits until it serves.
     *
     * @throws IllegalArgumentException naming the bad value and what is allowed; nothing was started
     * @throws EmbeddedStartException when the embedded ZooKeeper cannot start, and none can be found
     */
    public static ZooKeeperInUse open(AllocatorSection section) {
        AllocatorSettings settings = section.settings();
        Consumer<Address> promise = first -> promiseNewRoot(settings.onEmbedded(first.connect(), first.identity()));
        return open(section, directory -> DirectoryUse.open(directory, promise, DirectoryUse.PATIENCE));
    }

    /** Begins to do the same on a thread of its own; a process that ends does not wait for it. */
    public static CompletableFuture<ZooKeeperInUse> openAhead(AllocatorSection section) {
        return CompletableFuture.supplyAsync(() -> open(section), work -> {
            Thread thread = new Thread(work, "zookeeper-opening");
            thread.setDaemon(true);
            thread.start();
        });
    }

    /**
     * The same for the command by which somebody promises that the root is new: nobody else promises it where an
     * embedded ZooKeeper is made.
     *
     * @throws IllegalArgumentException naming the bad value and what is allowed; nothing was started
     * @throws EmbeddedStartException when the embedded ZooKeeper cannot start, and none can be found
     */
    public static ZooKeeperInUse openWithoutPromise(AllocatorSection section) {
        return open(section, directory -> DirectoryUse.open(directory, made -> {}, DirectoryUse.PATIENCE));
    }

    /**
     * The same for commands that change what is there: an embedded ZooKeeper must have data already.
     *
     * @throws IllegalArgumentException naming the bad value and what is allowed; nothing was started
     * @throws EmbeddedStartException when the embedded ZooKeeper cannot start, or no service has run on it; nothing was
     *     made
     */
    public static ZooKeeperInUse openExisting(AllocatorSection section) {
        return open(section, DirectoryUse::openExisting);
    }

    /**
     * The same for commands that only look: another process must run the embedded ZooKeeper.
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
     * The data was just made, so no replica of the root runs anywhere; but where windows are longer than a session,
     * somebody may have removed the data of a process that was paused, and goes on. Where ZooKeeper does not take the
     * promise, replicas wait.
     */
    private static void promiseNewRoot(AllocatorSettings settings) {
        Terms terms = settings.terms();
        if (terms.window().compareTo(terms.sessionTimeout()) > 0) {
            LOG.warn(
                    "the first IDs come {} s after this first start: windows are longer than the session timeout",
                    terms.ahead().toSeconds());
            return;
        }
        try {
            FirstStart.withoutWaiting(settings);
        } catch (UnreachableException e) {
            LOG.warn("the embedded ZooKeeper did not take the new root; the first IDs come later", e);
        }
    }

    /** For an allocator, with the address of this ZooKeeper. */
    public AllocatorSettings settings() {
        return settings;
    }

    /** What the catalogue says of this ZooKeeper. */
    public ZooKeeperEntry entry() {
        Optional<String> host = embedded.map(own -> own.address().host());
        return new ZooKeeperEntry(host.isPresent(), host, settings.zookeeper().root());
    }

    /** Which ZooKeeper this is, in words: the address, the directory where it is embedded, and the root. */
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
