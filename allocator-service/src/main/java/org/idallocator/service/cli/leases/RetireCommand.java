package org.idallocator.service.cli.leases;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.cli.CommandException;
import org.idallocator.service.cli.SectionReader;
import org.idallocator.service.cli.Streams;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.operator.Holder;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.Retired;

/** {@code leases retire}: takes a slot out of its pool, and away from its holder, also before any service has run. */
final class RetireCommand extends ClusterCommand {
    RetireCommand(SectionReader<?> reader, Streams streams) {
        super("retire", "takes a slot out of its pool, and away from its holder", Ensemble::of, reader, streams);
    }

    @Override
    public void configure(Subparser subparser) {
        SlotArgument.addTo(subparser);
        super.configure(subparser);
        subparser.addArgument("--nonce").help("the only tenure that may lose the slot");
        SlotArgument.addYesTo(subparser);
        subparser.epilog("""
                examples:
                  leases retire sno 17 --yes -c config/cluster.yml""");
    }

    @Override
    Action prepared(List<Scheme<?>> schemes, Namespace options) {
        SlotArgument slot = SlotArgument.of(schemes, options);
        Optional<String> nonce = Optional.ofNullable(options.getString("nonce"));
        boolean asks = slot.asks(getName(), options);
        return zookeeper -> {
            requireNotRetired(zookeeper, slot);
            Predicate<Holder> mayLose = asks ? agreed(zookeeper, slot, nonce) : named(nonce);
            Retired retired = zookeeper.ask(cluster -> cluster.retire(slot.scheme(), slot.number(), mayLose));
            return zookeeper.done(report(retired), slot);
        };
    }

    /** Looks among all slots of the scheme: a record that cannot be read is no obstacle there, nor to retiring the slot. */
    private static void requireNotRetired(Queries zookeeper, SlotArgument slot) {
        for (LeaseView view : zookeeper.ask(cluster -> cluster.leases(slot.scheme()))) {
            if (view.slot().equals(slot.name()) && view.state() == LeaseView.State.RETIRED) {
                throw new CommandException(slot + " is retired already, and reserved through " + view.reservedThrough()
                        + "; nothing was changed");
            }
        }
    }

    private static Predicate<Holder> agreed(Queries zookeeper, SlotArgument slot, Optional<String> nonce) {
        Holder shown = zookeeper.ask(cluster -> cluster.holder(slot.scheme(), slot.number()));
        SlotArgument.confirm(question(slot.toString(), shown));
        return mayLose(shown, nonce);
    }

    /** What a person agrees to who is shown a holder: whoever comes after the question may not lose the slot. */
    static Predicate<Holder> mayLose(Holder shown, Optional<String> nonce) {
        return named(nonce).and(now -> now.isAs(shown));
    }

    static String question(String slot, Holder shown) {
        return "retire " + slot + ", which "
                + (shown.equals(Holder.NOBODY) ? "nobody holds" : shown.inWords() + " holds and loses");
    }

    /** Whom a call means: the tenure of this nonce, or anybody. */
    static Predicate<Holder> named(Optional<String> nonce) {
        return now -> nonce.isEmpty() || now.isTenure(nonce.get());
    }

    private static String report(Retired retired) {
        String holder = Optional.ofNullable(retired.holder())
                .map(held -> "taken away from " + held.instance() + ", tenure " + held.nonce() + "\n")
                .orElse("");
        return "taken out of the pool\n" + holder + "a holder that was cut off can issue IDs with times until "
                + retired.issuingUntil() + "; use the slot elsewhere only after that\n";
    }
}
