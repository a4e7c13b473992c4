package org.idallocator.core.scheme;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.GidGenerator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.IdType;

/**
 * gid: Graft's identifiers. They need no slot: 64 random bits keep them apart, draws never wait, and nothing fences
 * them.
 *
 * <pre>{@code
 * VolumeId volume = LocalIds.onSystemClock().volumes().next();
 * Optional<LogId> log = LogId.tryParse(volume.toString());          // empty: it is no log's
 * GidType type = Gid.parse(volume.toString()).type();               // VOLUME
 * }</pre>
 *
 * <p>The page of {@link Gid} has the bits, text forms, capacity and order, what an ID reveals and when to choose the
 * scheme. The page of this package compares the schemes.
 */
public final class GidScheme implements Scheme<Gid> {
    public static final String NAME = "gid";

    /** The keys of the scheme's section. */
    static final List<String> KEYS = List.of("type", SchemeOptions.MAX_COUNT);

    private static final Allowed.OneOf TYPES = new Allowed.OneOf(
            Arrays.stream(GidType.values()).map(GidType::toString).toList());

    private final GidType defaultType;

    /** {@code defaultType} is the type of the IDs of callers that name no type. */
    public GidScheme(GidType defaultType) {
        this.defaultType = defaultType;
    }

    /** {@code key} names the value where it is refused. */
    private static GidType typeOf(String key, String value) {
        return GidType.valueOf(TYPES.read(key, value).toUpperCase(Locale.ROOT));
    }

    static GidScheme configured(SchemeOptions options) {
        String type = options.text("type", "volume");
        return new GidScheme(typeOf(NAME + ".type", type));
    }

    @Override
    public IdType<Gid> type() {
        return Gid.TYPE;
    }

    @Override
    public Optional<Parameter> parameter() {
        return Optional.of(new Parameter(
                "type", TYPES, GidGenerator.type(defaultType), value -> GidGenerator.type(typeOf("type", value))));
    }

    /** Gids sort by their types first. */
    @Override
    public void requireSomeAfter(String name, Gid seen, Variant variant) {
        GidType drawn = GidGenerator.typeOf(variant).orElse(defaultType);
        if (seen.type().compareTo(drawn) > 0) {
            String allowed = Arrays.stream(GidType.values())
                    .filter(type -> type.compareTo(drawn) <= 0)
                    .map(GidType::toString)
                    .collect(Collectors.joining(" or "));
            throw new BadValueException(
                    name,
                    "must be of type %s, as gids sort by type first: %s is of type %s"
                            .formatted(allowed, seen, seen.type()));
        }
    }

    @Override
    public TickUnit unit() {
        return GidGenerator.UNIT;
    }

    @Override
    public long idsPerTick() {
        return Long.MAX_VALUE;
    }

    @Override
    public OptionalLong slotOf(Gid id) {
        return OptionalLong.empty();
    }

    @Override
    public Generator open(long slot, Fence fence) {
        return new GidGenerator(Randomness.BITS, fence.clock());
    }
}
