package org.idallocator.zk.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;
import org.idallocator.zk.settings.ZooKeeperSettings;

/** Who may do what with nodes, on a started Curator client. Thread-safe. */
final class Acls {
    private static final long ANSWER_SECONDS = 2;
    private static final String DIGEST = "digest";

    private final CuratorFramework curator;
    private final ZooKeeperSettings settings;

    Acls(CuratorFramework curator, ZooKeeperSettings settings) {
        this.curator = curator;
        this.settings = settings;
    }

    /** Who may change these nodes, without those that do not exist. Asks for all before the first answer is there. */
    List<Store.Access> of(List<String> paths) throws Exception {
        ZooKeeper zookeeper = curator.getZookeeperClient().getZooKeeper();
        Identity own = Identity.of(zookeeper, settings);
        List<CompletableFuture<Optional<Store.Access>>> asked =
                paths.stream().map(path -> ask(zookeeper, path, own)).toList();
        List<Store.Access> access = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            answer(paths.get(i), asked.get(i)).ifPresent(access::add);
        }
        return access;
    }

    /** ZooKeeper tells an ACL to who may read the node, or set its ACL. */
    private static CompletableFuture<Optional<Store.Access>> ask(ZooKeeper zookeeper, String path, Identity own) {
        CompletableFuture<Optional<Store.Access>> answer = new CompletableFuture<>();
        zookeeper.getACL(
                path,
                null,
                (code, name, context, acl, stat) -> {
                    switch (Code.get(code)) {
                        case OK -> answer.complete(Optional.of(access(path, acl, stat, own)));
                        case NONODE -> answer.complete(Optional.empty());
                        case NOAUTH ->
                            answer.complete(Optional.of(new Store.Access(path, false, false, false, List.of())));
                        default ->
                            answer.completeExceptionally(
                                    new StoreException(StoreException.Kind.UNCERTAIN, path + ": " + Code.get(code)));
                    }
                },
                null);
        return answer;
    }

    private static Store.Access access(String path, List<ACL> acl, Stat stat, Identity own) {
        return new Store.Access(
                path,
                true,
                stat.getEphemeralOwner() != 0,
                acl.stream().anyMatch(entry -> entry.getPerms() == ZooDefs.Perms.ALL && own.includes(entry.getId())),
                acl.stream()
                        .filter(entry -> (entry.getPerms() & ~ZooDefs.Perms.READ) != 0)
                        .filter(entry -> !own.includes(entry.getId()))
                        .map(Acls::inWords)
                        .toList());
    }

    /** An entry as the shell of ZooKeeper writes it, without the hash of a password. */
    private static String inWords(ACL entry) {
        Id id = entry.getId();
        String who = id.getScheme().equals(DIGEST) ? id.getId().replaceFirst(":.*", ":...") : id.getId();
        return id.getScheme() + ":" + who + ":" + ZKUtil.getPermString(entry.getPerms());
    }

    private static <T> T answer(String path, CompletableFuture<T> asked) throws InterruptedException {
        try {
            return asked.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new StoreException(StoreException.Kind.UNCERTAIN, path + ": its ACL is not told", e);
        }
    }
}
