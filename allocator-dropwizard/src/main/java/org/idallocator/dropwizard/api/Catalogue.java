package org.idallocator.dropwizard.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.Outage;
import org.idallocator.zk.lease.SchemeStatus;

/**
 * The answer to {@code GET /ids}.
 *
 * @param schemes the schemes that this replica serves
 * @param zookeeper the ZooKeeper that keeps this replica's slots apart from those of others
 * @param outage since when ZooKeeper has not answered this replica, and until when IDs can still be issued; left out
 *     while ZooKeeper answers
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Catalogue(List<SchemeEntry> schemes, ZooKeeperEntry zookeeper, Optional<Outage> outage) {

    /**
     * One scheme of the catalogue.
     *
     * @param name the scheme's name, as in paths
     * @param bytes the length of an ID in bytes
     * @param text the canonical text
     * @param forms the names of the other text forms, as {@code form=} takes them
     * @param fields the layout, most significant bits first
     * @param parameters what a request may ask for beyond a count
     * @param largestCount the largest count of a request without a parameter, as configured
     * @param leased whether the scheme's generators need a slot
     * @param slot the slot that serves; left out when none does, or the scheme needs none
     * @param state whether it serves
     * @param reason the code of the reason why the scheme is fenced; left out while it is active
     * @param detail the reason in words; left out while the scheme is active
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record SchemeEntry(
            String name,
            int bytes,
            CanonicalText text,
            List<String> forms,
            List<FieldEntry> fields,
            List<ParameterEntry> parameters,
            int largestCount,
            boolean leased,
            Optional<String> slot,
            SchemeState state,
            Optional<String> reason,
            Optional<String> detail) {

        /** The entry of a scheme in this state; {@code largestCount} is the largest count as configured. */
        public static <T extends Id> SchemeEntry of(Scheme<T> scheme, int largestCount, SchemeStatus status) {
            Optional<FencedException> fenced = status.fenced();
            return new SchemeEntry(
                    scheme.name(),
                    scheme.type().bytes(),
                    new CanonicalText(scheme.type().textLength(), scheme.type().textPattern()),
                    scheme.forms().stream().map(Form::name).toList(),
                    scheme.type().fields().stream()
                            .map(field -> new FieldEntry(field.name(), List.of(field.firstBit(), field.lastBit())))
                            .toList(),
                    scheme.parameter().stream()
                            .map(parameter -> new ParameterEntry(parameter.name(), parameter.allowed()))
                            .toList(),
                    largestCount,
                    scheme.pool().isPresent(),
                    status.slot().map(HeldSlot::slot),
                    SchemeState.of(status),
                    fenced.map(why -> why.reason().code()),
                    fenced.map(FencedException::getMessage));
        }
    }

    /**
     * The canonical text of a scheme's IDs.
     *
     * @param length the number of ASCII characters
     * @param pattern a regular expression that every canonical text matches
     */
    public record CanonicalText(int length, String pattern) {}

    /**
     * One field of a layout.
     *
     * @param bits the field's first and last bit, both inclusive, counted from the most significant bit of the ID, 0
     *     first
     */
    public record FieldEntry(String name, List<Integer> bits) {}

    /**
     * A query parameter of one scheme.
     *
     * @param name as in a query
     * @param allowed the allowed values, in words
     */
    public record ParameterEntry(String name, String allowed) {}

    /**
     * The ZooKeeper of a replica.
     *
     * @param embedded whether this replica's configuration names an embedded one, which serves one machine: IDs of
     *     other machines may be equal to its IDs
     * @param host the machine of an embedded one; left out for others, and for who is not told where replicas run
     * @param root the path below which the leases are. Replicas with the same ZooKeeper and root never issue equal IDs
     *     of a scheme that has slots
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    @PublicProperties({"embedded", "root"})
    public record ZooKeeperEntry(boolean embedded, Optional<String> host, String root) {}
}
