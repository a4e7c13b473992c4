package org.idallocator.service.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.SchemeStatus;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.operator.Holder;

/**
 * What is told to whom. Whereabouts are the names, hosts, process IDs and addresses of replicas and of ZooKeeper, sessions and
 * tenures. The admin port tells them; the application port tells them where that is configured. Thread-safe.
 *
 * @param tellsWhereabouts whether they are told
 */
public record Discretion(boolean tellsWhereabouts) {
    /** For who may know everything. */
    public static final Discretion NONE = new Discretion(true);

    private static final String UNTOLD = "ZooKeeper does not answer at once, or its answer cannot be read";

    /** Reasons of whose details numbers are all. */
    private static final Set<FenceReason> NUMBERS = EnumSet.of(
            FenceReason.COOLING, FenceReason.CLOCK_SKEW, FenceReason.CLOCK_BEHIND, FenceReason.DEADLINE_PASSED);

    /** What strangers are told of records that know nothing of {@link Whereabouts}. */
    private static final Map<Class<?>, Set<String>> TOLD = Map.of(
            LeaseNode.class,
            Set.of("version", "slot", "acquiredAt"),
            HeldSlot.class,
            Set.of(
                    "scheme",
                    "slot",
                    "state",
                    "since",
                    "reservedThrough",
                    "timeLeftMillis",
                    "deadlineMillis",
                    "lease",
                    "acquiredAt",
                    "floorTick",
                    "ceilingTick"));

    private static final ObjectMapper FOR_STRANGERS = AnswerMapper.get()
            .copy()
            .registerModule(new SimpleModule("strangers").setSerializerModifier(new LeftOut()));

    private static final class LeftOut extends BeanSerializerModifier {
        private static final long serialVersionUID = 1L;

        @Override
        public List<BeanPropertyWriter> changeProperties(
                SerializationConfig config, BeanDescription type, List<BeanPropertyWriter> properties) {
            properties.removeIf(property -> !isToldToStrangers(type.getBeanClass(), property.getName())
                    || property.getAnnotation(Whereabouts.class) != null);
            return properties;
        }
    }

    /** Whether strangers are told a property of a record from elsewhere; of an own record, {@link Whereabouts} says so. */
    public static boolean isToldToStrangers(Class<?> record, String property) {
        Set<String> told = TOLD.get(record);
        return told == null || told.contains(property);
    }

    /** An answer as one line of JSON, with what may be told. */
    public byte[] json(Object answer) throws JsonProcessingException {
        return tellsWhereabouts ? AnswerMapper.bytes(answer) : AnswerMapper.bytes(FOR_STRANGERS, answer);
    }

    /** Who holds a slot; why that is not known, in words that may be told. */
    public Holder told(Holder holder) {
        return tellsWhereabouts || holder.unknown().isEmpty() ? holder : Holder.unknown(UNTOLD);
    }

    /** Why nothing is issued, in words that may be told. */
    public FencedException told(FencedException why) {
        return tellsWhereabouts || NUMBERS.contains(why.reason())
                ? why
                : new FencedException(why.reason(), why.reason().sentence(), why.retryAfter());
    }

    /** The same of a scheme. */
    public SchemeStatus told(SchemeStatus status) {
        return new SchemeStatus(
                status.scheme(),
                status.fenced().map(this::told),
                status.slot(),
                status.slots(),
                status.lacking().map(this::told));
    }
}
