package org.idallocator.core.generator;

import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.LogId;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.SegmentId;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.id.VolumeId;

/**
 * Which type of ID each scheme's generator draws: gid's draws those of its three types, too. Immutable, thread-safe.
 */
public final class GeneratorsByType implements IdGenerators {
    private final Map<Class<?>, Supplier<? extends IdGenerator<?>>> byType;

    /** Each generator is asked for when its type is, and not before; what a supplier throws is passed on. */
    public GeneratorsByType(
            Supplier<IdGenerator<Sno>> snos,
            Supplier<IdGenerator<Muid>> muids,
            Supplier<IdGenerator<EightByteId>> eightbytes,
            Supplier<IdGenerator<Uid60>> uid60s,
            Supplier<IdGenerator<Gid>> gids) {
        this.byType = Map.of(
                Sno.class, snos,
                Muid.class, muids,
                EightByteId.class, eightbytes,
                Uid60.class, uid60s,
                Gid.class, gids,
                VolumeId.class, () -> ofType(GidType.VOLUME, gids).as(VolumeId::new),
                LogId.class, () -> ofType(GidType.LOG, gids).as(LogId::new),
                SegmentId.class, () -> ofType(GidType.SEGMENT, gids).as(SegmentId::new));
    }

    private static IdGenerator<Gid> ofType(GidType type, Supplier<IdGenerator<Gid>> gids) {
        return gids.get().with(GidGenerator.type(type));
    }

    @Override
    @SuppressWarnings("unchecked") // the constructor has each type beside a generator of it
    public <T extends Id> IdGenerator<T> of(Class<T> type) {
        Supplier<? extends IdGenerator<?>> generator = byType.get(type);
        if (generator == null) {
            throw new IllegalArgumentException(
                    "no scheme draws IDs of the type " + type.getName() + "; those drawn are "
                            + byType.keySet().stream()
                                    .map(Class::getSimpleName)
                                    .sorted()
                                    .collect(Collectors.joining(", ")));
        }
        return (IdGenerator<T>) generator.get();
    }
}
