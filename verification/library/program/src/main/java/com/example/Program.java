package com.example;

import java.time.Duration;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;

/** Prints snos, one a line: {@code java -jar target/program.jar zk1:2181,zk2:2181,zk3:2181 1000}. */
public final class Program {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Program() {}

    /** Takes the addresses of ZooKeepers, and how many snos to print. */
    public static void main(String[] arguments) throws InterruptedException {
        ZooKeeperSettings zookeeper = ZooKeeperSettings.of(arguments[0]);
        long count = Long.parseLong(arguments[1]);
        AllocatorSettings settings = AllocatorSettings.of(Schemes.of("sno"), zookeeper);
        try (IdAllocator allocator = IdAllocator.connect(settings)) {
            allocator.awaitReady(PATIENCE);
            allocator.sno().stream().limit(count).forEach(System.out::println);
        } catch (FencedException e) {
            System.err.println(e.reason().code() + ": " + e.getMessage());
            System.exit(1);
        }
    }
}
