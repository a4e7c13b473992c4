package org.idallocator.service.cli.leases;

import java.util.List;
import java.util.Optional;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.CommandOptions;
import org.idallocator.service.cli.terminal.UsageException;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.PoolView;

/**
 * What a call asks for.
 *
 * @param served the schemes with slots, one or more
 * @param scheme the one that was named; empty for all
 * @param slot the one that was named; empty for all
 */
public record Call(Action action, List<Scheme<?>> served, Optional<Scheme<?>> scheme, Optional<NamedSlot> slot) {

    /**
     * Reads a call.
     *
     * @param configured the schemes of the configuration
     * @param words the names of a scheme and a slot, as far as the call has them
     * @throws UsageException when the action needs more, or takes less, and when there is no such scheme or slot
     * @throws CommandException when no scheme with slots is configured
     */
    public static Call of(Action action, List<Scheme<?>> configured, List<String> words) {
        List<Scheme<?>> served = Schemes.leased(configured);
        if (served.isEmpty()) {
            throw new CommandException("no scheme with slots is configured, only " + names(configured));
        }
        if (!action.takesScheme() && !words.isEmpty()) {
            throw new UsageException(action + " takes no scheme, it concerns all of them: " + words.get(0));
        }
        if (!action.takesSlot() && words.size() > 1) {
            throw new UsageException(action + " takes no slot, it concerns all of a scheme: " + words.get(1));
        }
        Optional<Scheme<?>> scheme =
                words.stream().findFirst().map(name -> CommandOptions.read(() -> Schemes.leased(name, configured)));
        Optional<NamedSlot> slot =
                scheme.flatMap(named -> words.stream().skip(1).findFirst().map(word -> NamedSlot.of(named, word)));
        Call call = new Call(action, served, scheme, slot);
        call.requireWhatTheActionNeeds();
        return call;
    }

    private void requireWhatTheActionNeeds() {
        if (scheme.isEmpty() && action.needsScheme()) {
            throw new UsageException(action + " needs a scheme: " + names(served));
        }
        if (slot.isEmpty() && action.needsSlot()) {
            Scheme<?> named = scheme.orElseThrow();
            throw new UsageException(action + " needs a slot of " + named.name() + ": " + NamedSlot.range(named));
        }
    }

    private static String names(List<Scheme<?>> schemes) {
        return String.join(", ", schemes.stream().map(Scheme::name).toList());
    }

    /** The action, and the slot that it is about; for actions on a slot. */
    public String inWords() {
        return action + " " + slot.orElseThrow();
    }

    /** The pools that the call is about. */
    List<PoolView> pools(ClusterView cluster) {
        return scheme.<List<Scheme<?>>>map(List::of).orElse(served).stream()
                .flatMap(each -> cluster.pool(each).stream())
                .toList();
    }

    /** The slots of these pools that the call is about: all that were ever used, or those that are held. */
    List<LeaseView> leases(List<PoolView> pools) {
        return pools.stream()
                .flatMap(pool -> pool.slots().stream())
                .filter(view -> action == Action.LIST || view.state() == LeaseView.State.HELD)
                .toList();
    }
}
