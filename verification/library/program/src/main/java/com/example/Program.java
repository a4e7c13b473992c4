package com.example;

import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Sno;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;

/** Prints one ID. */
public final class Program {
    private Program() {}

    /** Takes the addresses of ZooKeepers. */
    public static void main(String[] arguments) throws InterruptedException {
        AllocatorSettings settings = AllocatorSettings.of(Schemes.all(), ZooKeeperSettings.of(arguments[0]));
        try (IdAllocator allocator = IdAllocator.connect(settings)) {
            System.out.println(next(allocator.sno()));
        }
    }

    private static Sno next(IdGenerator<Sno> snos) throws InterruptedException {
        while (true) {
            try {
                return snos.next();
            } catch (FencedException e) {
                Thread.sleep(e.retryAfter().toMillis());
            }
        }
    }
}
