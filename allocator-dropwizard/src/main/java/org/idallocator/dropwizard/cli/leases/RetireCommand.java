package org.idallocator.dropwizard.cli.leases;

import java.util.Optional;
import java.util.function.Predicate;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.dropwizard.cli.CommandException;
import org.idallocator.dropwizard.cli.Program;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.zk.operator.Holder;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.Retired;

/** {@code leases retire}: takes a slot out of its pool, and away from its holder, also before any service has run. */
final class RetireCommand extends SlotCommand {
    RetireCommand(Program<?> program) {
        super(
                program,
                "retire",
                "takes a slot out of its pool, and away from its holder",
                "leases retire sno 17 --yes -c config/cluster.yml");
    }

    @Override
    protected void addArguments(Subparser subparser) {
        super.addArguments(subparser);
        subparser.addArgument("--nonce").help("the only tenure that may lose the slot");
        addYes(subparser);
    }

    @Override
    ZooKeeperInUse open(AllocatorSection section) {
        return ZooKeeperInUse.open(section); // also before any service has run
    }

    @Override
    String execute(Cluster cluster, SlotArgument slot, Namespace options) {
        requireNotRetired(cluster, slot);
        Optional<String> nonce = Optional.ofNullable(options.getString("nonce"));
        Optional<Holder> shown = Optional.empty();
        if (needsConfirmation(options)) {
            shown = Optional.of(cluster.view().holder(slot.scheme(), slot.number()));
            confirm(cluster, question(slot.toString(), shown.get()));
        }
        return report(cluster.view().retire(slot.scheme(), slot.number(), mayLose(shown, nonce)));
    }

    /** Refuses a slot that is retired already. An unreadable record is not refused here, and can be retired. */
    private static void requireNotRetired(Cluster cluster, SlotArgument slot) {
        LeaseView view = cluster.view().lease(slot.scheme(), slot.number());
        if (view.state() == LeaseView.State.RETIRED) {
            throw new CommandException(slot + " is retired already, and reserved through " + view.reservedThrough()
                    + "; nothing was changed");
        }
    }

    static String question(String slot, Holder shown) {
        return "retire " + slot + ", which "
                + (shown.equals(Holder.nobody()) ? "nobody holds" : shown.inWords() + " holds and loses");
    }

    /**
     * Who may lose the slot: the tenure that the call names, if it names one, and the holder that a person was shown,
     * if one was shown. Whoever comes to hold the slot after the question may not lose it.
     */
    static Predicate<Holder> mayLose(Optional<Holder> shown, Optional<String> nonce) {
        return now -> nonce.stream().allMatch(now::isTenure) && shown.stream().allMatch(now::isAs);
    }

    private static String report(Retired retired) {
        String holder = Optional.ofNullable(retired.holder())
                .map(held -> "taken away from " + held.instance() + ", tenure " + held.nonce() + "\n")
                .orElse("");
        return "taken out of the pool\n" + holder + "a holder that was cut off can issue IDs with times until "
                + retired.issuingUntil() + "; use the slot elsewhere only after that\n";
    }
}
