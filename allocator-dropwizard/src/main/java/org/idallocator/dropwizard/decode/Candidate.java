package org.idallocator.dropwizard.decode;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.dropwizard.api.Inspection;
import org.idallocator.zk.operator.Holder;

/**
 * One way to read a text as an ID.
 *
 * @param form the name of the form in which the text was read
 * @param bits the number of bits of the scheme's IDs, with bits that mean nothing
 * @param notes what people have to know to read the bits
 * @param slot the slot from which the ID was drawn; empty where the configured scheme has no such slot
 * @param reading what the ID says, without the holder of its slot
 */
public record Candidate(
        String form,
        int bits,
        List<String> notes,
        @JsonIgnore OptionalLong slot,
        @JsonUnwrapped @JsonIgnoreProperties("holder") Inspection reading) {
    /** The beginning of sno's time, before which nobody made IDs. */
    private static final Instant EARLIEST = Instant.parse("2010-01-01T00:00:00Z");

    public static <T extends Id> Candidate of(Scheme<T> scheme, String form, T id) {
        return new Candidate(
                form,
                scheme.type().bytes() * Byte.SIZE,
                scheme.layoutNotes(),
                scheme.slotOf(id),
                Inspection.of(scheme, id, Holder.nobody()));
    }

    /** Whether the text was read as canonical text. */
    public boolean hasCanonicalForm() {
        return form.equals(Form.CANONICAL);
    }

    /**
     * Puts the more plausible candidate first: one whose time lies between 2010 and {@code latest}, inclusive; among
     * these, one that was read as canonical text.
     */
    public static Comparator<Candidate> mostPlausibleFirst(Instant latest) {
        return Comparator.comparing((Candidate candidate) -> !candidate.isPlausible(latest))
                .thenComparing(candidate -> !candidate.hasCanonicalForm());
    }

    private boolean isPlausible(Instant latest) {
        return !reading.time().isBefore(EARLIEST) && !reading.time().isAfter(latest);
    }
}
