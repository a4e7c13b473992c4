package org.idallocator.zk.operator;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.Clients;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the nodes of a root from strangers: afterwards the identity of these settings alone may read and write them. For a root
 * that was made before its replicas had credentials. It can be run again, and again changes what is open then, and nothing else.
 */
public final class Securing {
    private static final Logger LOG = LoggerFactory.getLogger(Securing.class);
    private static final int ROUNDS = 10;
    private static final int TOLD_EACH = 100;

    private final Nodes nodes;
    private final Consumer<String> step;
    private final Set<String> refused = new HashSet<>();
    private int secured;

    private Securing(OperatorAccess access, Consumer<String> step) {
        this.nodes = access.nodes();
        this.step = step;
    }

    /**
     * What was done.
     *
     * @param nodes how many nodes there are
     * @param secured how many of them were taken from strangers
     */
    public record Report(int nodes, int secured) {}

    /**
     * Runs the command, on a connection of its own.
     *
     * @param fence whether to go on although replicas without credentials are members: they lose their slots, and stop
     * @param step is told how far this is, in a few words
     * @throws RefusedException when the settings have no credentials, and nothing was done; where replicas have none and {@code
     *     fence} is false, and nothing was done; where somebody goes on making nodes for everybody; or where some nodes belong to
     *     somebody else, so that ZooKeeper does not allow this client to say who may write them: the message names these, and all
     *     others were seen to
     * @throws UnreachableException when ZooKeeper does not answer
     */
    public static Report run(AllocatorSettings settings, boolean fence, Consumer<String> step) {
        if (!Clients.hasIdentity(settings.zookeeper())) {
            throw new RefusedException(
                    "zookeeper.auth has no credentials, and there is no SASL login: without them, nobody"
                            + " would be let in any more; name the credentials that all replicas have");
        }
        return OperatorAccess.connected(settings, access -> run(access, fence, step));
    }

    /** The same, on an open store. */
    static Report run(OperatorAccess access, boolean fence, Consumer<String> step) {
        return new Securing(access, step).run(fence);
    }

    /** Parents come first: then nobody adds or deletes below them what was seen to. Replicas may make nodes meanwhile. */
    private Report run(boolean fence) {
        if (!fence) {
            refuseWhereReplicasHaveNoCredentials();
        }
        for (int round = 0; round < ROUNDS; round++) {
            Strangers found = Strangers.look(nodes);
            List<String> open = Stream.concat(found.open().stream(), found.untold().stream())
                    .filter(path -> !refused.contains(path))
                    .toList();
            if (open.isEmpty()) {
                refuseWhereOthersOwn(found);
                return new Report(found.nodes(), secured);
            }
            secure(open);
        }
        throw new RefusedException("somebody goes on making nodes that strangers may write, after " + secured
                + " were taken from them: stop replicas that have no credentials, and run it again");
    }

    private void secure(List<String> open) {
        for (int i = 0; i < open.size(); i++) {
            if (i % TOLD_EACH == 0) {
                step.accept("node " + (i + 1) + " of " + open.size() + " that strangers may write");
            }
            secured += close(open.get(i)) ? 1 : 0;
        }
    }

    private boolean close(String path) {
        try {
            return nodes.store().close(path);
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.NO_PERMISSION) {
                throw e;
            }
            LOG.debug("{} is somebody else's", path, e);
            refused.add(path);
            return false;
        }
    }

    private void refuseWhereOthersOwn(Strangers found) {
        List<String> left = found.paths().stream().filter(refused::contains).toList();
        if (!left.isEmpty()) {
            throw new RefusedException("ZooKeeper does not let this client say who may write " + left.size()
                    + " of the "
                    + found.nodes() + " nodes of " + found.root() + ": " + Strangers.some(left, path -> path) + "; "
                    + secured + " others were taken from strangers; " + Remedies.othersOwn());
        }
    }

    /** A replica makes its own node with the credentials that it has, and the node ends with the replica's session. */
    private void refuseWhereReplicasHaveNoCredentials() {
        String members = nodes.tree().members();
        List<String> paths = nodes.allowedChildren(members).orElse(List.of()).stream()
                .sorted()
                .map(nodes.tree()::member)
                .toList();
        List<String> names = (paths.isEmpty()
                        ? List.<Store.Access>of()
                        : nodes.store().access(paths))
                .stream()
                        .filter(node -> node.told() && node.ephemeral() && !node.ours())
                        .map(node -> node.path().substring(members.length() + 1))
                        .toList();
        if (!names.isEmpty()) {
            throw new RefusedException("these replicas run without credentials, and would lose their slots: "
                    + String.join(", ", names) + "; start them anew with zookeeper.auth first");
        }
    }
}
