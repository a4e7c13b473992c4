package org.idallocator.dropwizard.api;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.SchemeStatus;
import org.idallocator.zk.operator.Holder;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.MemberView;
import org.idallocator.zk.znode.LeaseNode;

/**
 * Who may read what. Whereabouts are the names, hosts, process IDs and addresses of replicas and of ZooKeeper, sessions
 * and tenures. The admin port always tells whereabouts; the application port tells them if that is configured.
 * Thread-safe.
 *
 * @param tellsWhereabouts whether whereabouts are told
 */
public record Visibility(boolean tellsWhereabouts) {
    /** For operators, who may read everything. */
    public static final Visibility OPERATOR = new Visibility(true);

    private static final String UNTOLD = "ZooKeeper does not answer at once, or its answer cannot be read";

    /** Reasons whose details have numbers and nothing else that could tell whereabouts. */
    private static final Set<FenceReason> NUMBERS = EnumSet.of(
            FenceReason.COOLING, FenceReason.CLOCK_SKEW, FenceReason.CLOCK_BEHIND, FenceReason.DEADLINE_PASSED);

    /** What the public is told of a lease node. */
    @PublicProperties({"version", "slot", "acquiredAt"})
    private interface PublicLease {}

    /** What the public is told of a slot: one that this replica holds, or one that ZooKeeper showed. */
    @PublicProperties({
        "scheme",
        "slot",
        "state",
        "since",
        "reservedThrough",
        "timeLeftMillis",
        "deadlineMillis",
        "freeAt",
        "lease",
        "acquiredAt",
        "floorTick",
        "ceilingTick"
    })
    private interface PublicSlot {}

    /** What the public is told of another replica. */
    @PublicProperties({"since", "version", "clockOffsetMillis", "slots"})
    private interface PublicMember {}

    private static final ObjectMapper FOR_PUBLIC = forPublic(Json.get().copy());

    private static ObjectMapper forPublic(ObjectMapper mapper) {
        mapper.setSerializerFactory(mapper.getSerializerFactory().withSerializerModifier(new ListedProperties()));
        return mapper.addMixIn(LeaseNode.class, PublicLease.class)
                .addMixIn(HeldSlot.class, PublicSlot.class)
                .addMixIn(LeaseView.class, PublicSlot.class)
                .addMixIn(MemberView.class, PublicMember.class);
    }

    /**
     * Leaves out the properties that {@link PublicProperties} does not list, for types that have that annotation
     * themselves or by a mixin.
     */
    private static final class ListedProperties extends BeanSerializerModifier {
        private static final long serialVersionUID = 1L;

        @Override
        public List<BeanPropertyWriter> changeProperties(
                SerializationConfig config, BeanDescription part, List<BeanPropertyWriter> properties) {
            PublicProperties listed = part.getClassAnnotations().get(PublicProperties.class);
            if (listed != null) {
                Set<String> names = Set.of(listed.value());
                properties.removeIf(property -> !names.contains(property.getName()));
            }
            return properties;
        }
    }

    /** The mapper of answers, which leaves out what may not be told. */
    public ObjectMapper mapper() {
        return tellsWhereabouts ? Json.get() : FOR_PUBLIC;
    }

    /** An answer as one line of JSON in UTF-8, without what may not be told. */
    public byte[] json(Object answer) {
        return Json.line(mapper(), answer).getBytes(StandardCharsets.UTF_8);
    }

    /** A copy that tells why a holder is not known in words that may be told. */
    public Holder redacted(Holder holder) {
        return tellsWhereabouts || holder.unknown().isEmpty() ? holder : Holder.unknown(UNTOLD);
    }

    /** A copy that tells why nothing is issued in words that may be told. */
    public FencedException redacted(FencedException why) {
        return tellsWhereabouts || NUMBERS.contains(why.reason())
                ? why
                : new FencedException(why.reason(), why.reason().sentence(), why.retryAfter());
    }

    /** A copy whose reasons are in words that may be told. */
    public SchemeStatus redacted(SchemeStatus status) {
        Optional<FencedException> fenced = status.fenced().map(this::redacted);
        Optional<FencedException> lacking = status.lacking().map(this::redacted);
        return new SchemeStatus(status.scheme(), fenced, status.slot(), status.slots(), lacking);
    }
}
