package org.idallocator.zk;

import java.util.HashSet;
import java.util.Set;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.VolumeId;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;

/** What a program does with the library from its start to its end. Loaded by a class loader of its own. */
public final class DrawingProgram {
    private DrawingProgram() {}

    /** Draws so many IDs, and shows one of each; returns how many different ones there were. */
    public static int draw(String connect, int count) throws InterruptedException {
        AllocatorSettings settings = AllocatorSettings.of(Schemes.of("sno", "gid"), ZooKeeperSettings.of(connect));
        FirstStart.withoutWaiting(settings);
        Set<Id> drawn = new HashSet<>();
        try (IdAllocator allocator = IdAllocator.connect(settings)) {
            allocator.awaitReady(HangGuard.TIME);
            Sno.parse(allocator.sno().next().toString());
            VolumeId.parse(allocator.volumes().next().toString());
            allocator.holder(settings.schemes().get(0), 0);
            allocator.cluster().leases();
            drawn.addAll(allocator.sno().next(count - count / 2));
            drawn.addAll(allocator.volumes().next(count / 2));
        }
        return drawn.size();
    }
}
