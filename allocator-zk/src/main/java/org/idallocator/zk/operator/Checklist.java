package org.idallocator.zk.operator;

import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.operator.Check.Result;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects what the doctor sees, in order. Not thread-safe. */
final class Checklist {
    private static final Logger LOG = LoggerFactory.getLogger(Checklist.class);

    private final List<Check> checks = new ArrayList<>();
    private final Remedies remedies;

    /** {@code remedies} has the way out of each state that a look ends in by an exception. */
    Checklist(Remedies remedies) {
        this.remedies = remedies;
    }

    void ok(String name, String seen) {
        checks.add(new Check(name, Result.OK, seen, null, null));
    }

    void warn(String name, String seen, String remedy) {
        checks.add(new Check(name, Result.WARN, seen, remedy, null));
    }

    void fail(String name, String seen, FenceReason reason, String remedy) {
        checks.add(new Check(name, Result.FAIL, seen, remedy, reason.code()));
    }

    /** The same with the remedy that the state has everywhere. */
    void fail(String name, FencedException why) {
        fail(name, String.valueOf(why.getMessage()), why.reason(), remedies.of(why.reason()));
    }

    void skip(String name, String why) {
        checks.add(new Check(name, Result.SKIPPED, why, null, null));
    }

    /**
     * Looks, and makes a failed check of an exception that a replica would meet, too.
     *
     * @return whether nothing failed
     */
    boolean attempt(String name, Runnable look) {
        long failed = failed();
        try {
            look.run();
        } catch (FencedException e) {
            LOG.debug("a replica would not serve", e);
            fail(name, e);
        } catch (StoreException e) {
            LOG.debug("a replica would not serve", e);
            fail(name, Fencing.of(e));
        }
        return failed() == failed;
    }

    private long failed() {
        return checks.stream().filter(Check::failed).count();
    }

    /** All lines so far, in order. */
    List<Check> checks() {
        return List.copyOf(checks);
    }
}
