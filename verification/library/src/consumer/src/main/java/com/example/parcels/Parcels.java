package com.example.parcels;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Sno;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;

/** Numbers some parcels and prints the numbers; what it runs on follows, a line each. */
public final class Parcels {
    private Parcels() {}

    /** The argument is ZooKeeper's address, which has a root that nobody has used. */
    public static void main(String[] arguments) throws InterruptedException {
        AllocatorSettings settings = AllocatorSettings.of(Schemes.all(), ZooKeeperSettings.of(arguments[0]));
        FirstStart.withoutWaiting(settings);
        List<Sno> numbers = new ArrayList<>();
        try (IdAllocator allocator = IdAllocator.connect(settings)) {
            IdGenerator<Sno> parcels = allocator.sno();
            while (!allocator.status(allocator.schemes().get(0)).active()) {
                Thread.sleep(10);
            }
            for (int i = 0; i < 1_000; i++) {
                numbers.add(parcels.next());
            }
        }
        if (new HashSet<>(numbers).size() < numbers.size()) {
            throw new IllegalStateException("two parcels have the same number");
        }
        System.out.println("numbers " + numbers.size() + ", the first " + numbers.get(0));
        for (String entry : System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
            System.out.println("on " + entry);
        }
    }
}
