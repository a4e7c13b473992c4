package org.idallocator.zk.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/** Who may do what with nodes, on a started Curator client. Thread-safe. */
final class Acls {
    private static final long ANSWER_SECONDS = 2;

    private final CuratorFramework curator;

    Acls(CuratorFramework curator) {
        this.curator = curator;
    }

    /** Those of these nodes that anybody may change. Asks for all before the first answer is there. */
    List<String> open(List<String> paths) throws Exception {
        List<CompletableFuture<Boolean>> asked = new ArrayList<>();
        for (String path : paths) {
            asked.add(ask(path));
        }
        List<String> open = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            if (answer(paths.get(i), asked.get(i))) {
                open.add(paths.get(i));
            }
        }
        return open;
    }

    /** A node that is gone, or whose ACL this client may not even read, is open to nobody. */
    private CompletableFuture<Boolean> ask(String path) throws Exception {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        curator.getZookeeperClient()
                .getZooKeeper()
                .getACL(
                        path,
                        null,
                        (code, name, context, acl, stat) -> {
                            if (code == Code.OK.intValue()) {
                                answer.complete(acl.stream().anyMatch(Acls::letsAnybodyChange));
                            } else if (code == Code.NONODE.intValue() || code == Code.NOAUTH.intValue()) {
                                answer.complete(false);
                            } else {
                                answer.completeExceptionally(new StoreException(
                                        StoreException.Kind.UNCERTAIN, path + ": " + Code.get(code)));
                            }
                        },
                        null);
        return answer;
    }

    private static boolean letsAnybodyChange(ACL entry) {
        return entry.getId().getScheme().equals(ZooDefs.Ids.ANYONE_ID_UNSAFE.getScheme())
                && (entry.getPerms() & ~ZooDefs.Perms.READ) != 0;
    }

    private static boolean answer(String path, CompletableFuture<Boolean> asked) throws InterruptedException {
        try {
            return asked.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new StoreException(StoreException.Kind.UNCERTAIN, path + ": its ACL is not told", e);
        }
    }
}
