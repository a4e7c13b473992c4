package org.idallocator.service.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The use of a ZooKeeper that another process runs on a directory of this machine. When that process ends, this one locks the
 * directory and goes on with its data and port, within seconds, so that all who are connected go on. Where several processes wait
 * for that, one gets the lock.
 *
 * <p>The process ends with status 3 when the directory is not the one any more on which the ZooKeeper runs: a ZooKeeper on other
 * data would know nothing of what this process has reserved. Thread-safe.
 */
final class EmbeddedGuest implements EmbeddedUse.Closing {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedGuest.class);

    private final DataDirectory directory;
    private final Address address;
    private final IntConsumer halt;
    private final DirectoryPlace place;
    private final Guests guests;
    private final DirectoryWatch watch;
    private volatile @Nullable EmbeddedZooKeeper own;

    private EmbeddedGuest(DataDirectory directory, Address address, IntConsumer halt) throws IOException {
        this.directory = directory;
        this.address = address;
        this.halt = halt;
        this.place = DirectoryPlace.of(directory);
        this.guests = Guests.join(directory);
        this.watch = DirectoryWatch.start(directory, this::look, halt);
    }

    /** Begins to use the ZooKeeper that was found at an address; {@code halt} ends the process. */
    static EmbeddedGuest at(DataDirectory directory, Address address, IntConsumer halt) {
        return directory.use(() -> new EmbeddedGuest(directory, address, halt));
    }

    private void look() throws DirectoryLostException {
        if (own != null) {
            return; // which looks for itself
        }
        try {
            verify();
            takeOver();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void verify() throws IOException, DirectoryLostException {
        place.verify();
        Optional<Identity> identity = Identity.read(directory);
        if (identity.isPresent() && !identity.get().identity().equals(address.identity())) {
            throw new DirectoryLostException(directory + " holds other data than when this process began to use it");
        }
        Optional<Address> now = JsonFile.read(directory.address(), Address.class);
        if (now.isPresent() && now.get().port() != address.port()) {
            throw new DirectoryLostException("the ZooKeeper of " + directory + " serves on port "
                    + now.get().port() + ", and no longer on port " + address.port()
                    + ", which this process uses; start this process again");
        }
    }

    private void takeOver() throws IOException, DirectoryLostException {
        DirectoryLock lock;
        try {
            lock = DirectoryLock.onExisting(directory.path());
        } catch (DirectoryInUseException e) {
            return;
        }
        try {
            verify(); // nobody else can change it now
        } catch (IOException | RuntimeException | DirectoryLostException e) {
            lock.close();
            throw e;
        }
        LOG.info(
                "process {}, which ran the embedded ZooKeeper, has ended: this process runs it on, on port {}",
                address.pid(),
                address.port());
        own = EmbeddedZooKeeper.goOn(lock, address, halt);
    }

    /** Ends the use, and the ZooKeeper where that has become this process's own. */
    @Override
    public void close() {
        watch.close();
        EmbeddedZooKeeper resumed = own;
        if (resumed != null) {
            resumed.close();
        }
        guests.close();
        place.close();
    }
}
