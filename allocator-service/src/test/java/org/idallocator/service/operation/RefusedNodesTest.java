package org.idallocator.service.operation;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.embedded.OwnZooKeeper;
import org.idallocator.service.AllocatorApplication;
import org.idallocator.service.testing.RunningService;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Somebody's ACL keeps a replica from reading single nodes in a real ZooKeeper: operators are told of them, and of all
 * others.
 */
class RefusedNodesTest {
    private static final String RECORD = "/id-allocator/sno/records/0999";
    private static final String MEMBER = "/id-allocator/members/hidden";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path data;

    private static void hide(Admin admin, String path) throws Exception {
        admin.create(path, "{}");
        admin.curator()
                .setACL()
                .withACL(List.of(new ACL(ZooDefs.Perms.ADMIN, ZooDefs.Ids.ANYONE_ID_UNSAFE)))
                .forPath(path);
    }

    @Test
    void shouldTellOfAllNodesBesideThoseThatMayNotBeRead() throws Exception {
        try (OwnZooKeeper zookeeper = OwnZooKeeper.start(data);
                Admin admin = Admin.of(zookeeper.connect())) {
            FirstStart.withoutWaiting(AllocatorSettings.of(Schemes.all(), ZooKeeperSettings.of(zookeeper.connect())));
            hide(admin, RECORD);
            hide(admin, MEMBER);
            try (RunningService service = RunningService.start(
                            AllocatorApplication.class,
                            "zookeeper.embedded.enabled=false",
                            "tellWhereabouts=true",
                            "zookeeper.connect=" + zookeeper.connect())
                    .awaitReady()) {
                assertTold(service);
            }
        }
    }

    private static void assertTold(RunningService service) {
        JsonNode leases = service.admin().json("/leases");
        assertEquals(1, leases.at("/pools/0/unreadable").asLong(), leases.toString());
        assertEquals(1, leases.at("/pools/0/held").asLong(), leases.toString());
        JsonNode refused = only(leases.path("leases"), "slot", "0999");
        assertEquals("unreadable", refused.path("state").asText());
        assertEquals(
                RECORD + " may not be read by this client",
                refused.path("unreadable").asText());
        assertEquals(refused, service.admin().json("/leases/sno/999"));

        JsonNode members = service.admin().json("/fleet").path("members");
        assertEquals(2, members.size(), members.toString());
        assertEquals(
                MEMBER + " may not be read by this client",
                only(members, "instance", "hidden").path("unreadable").asText());

        await().until(() -> service.metric("id_allocator_pool_slots{scheme=\"sno\",state=\"unreadable\"}") == 1);
        assertEquals(1, service.metric("id_allocator_pool_slots{scheme=\"sno\",state=\"held\"}"));
        JsonNode shown = service.app().json("/console/state");
        assertTrue(shown.toString().contains("unreadable"), shown.toString());
    }

    /** The one of these that has this word in this field. */
    private static JsonNode only(JsonNode all, String field, String word) {
        return StreamSupport.stream(all.spliterator(), false)
                .filter(each -> each.path(field).asText().equals(word))
                .findFirst()
                .orElseThrow(() -> new AssertionError(all.toString()));
    }
}
