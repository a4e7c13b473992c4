package org.idallocator.service.console;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.api.Inspection;
import org.idallocator.service.api.Visibility;
import org.idallocator.service.decode.Candidate;
import org.idallocator.service.decode.IdGuesser;
import org.idallocator.zk.IdSource;
import org.idallocator.zk.operator.Holder;

/**
 * What a text says that somebody pasted in.
 *
 * @param input the text
 * @param candidates every way to read it, the most plausible first; one or more
 */
record Reading(String input, List<Way> candidates) {
    /** In characters: longer than an ID in any form, with what somebody may have got wrong. */
    private static final int LONGEST = 1_024;

    /**
     * One way to read a text.
     *
     * @param form the name of the form
     * @param bits how many bits the ID has
     * @param notes what people have to know to read the bits
     * @param said what the ID says, without who holds the slot
     * @param holder who holds the slot now, in words
     */
    record Way(
            String form,
            int bits,
            List<String> notes,
            @JsonUnwrapped @JsonIgnoreProperties("holder") Inspection said,
            String holder) {}

    /** Throws {@link IllegalArgumentException} or {@link org.idallocator.service.decode.UnreadableException} saying why. */
    static Reading of(String text, IdSource source, Visibility told) {
        if (text.isBlank() || text.length() > LONGEST) {
            throw new IllegalArgumentException("id must be a text of 1.." + LONGEST + " characters: it has "
                    + text.strip().length());
        }
        String input = text.strip();
        List<Candidate> candidates =
                new IdGuesser(source.schemes(), Optional.empty(), Clock.system()).candidates(input);
        return new Reading(
                input, candidates.stream().map(each -> way(each, source, told)).toList());
    }

    private static Way way(Candidate candidate, IdSource source, Visibility told) {
        Scheme<?> scheme = Schemes.named(candidate.reading().scheme(), source.schemes());
        return new Way(
                candidate.form(),
                candidate.bits(),
                candidate.notes(),
                candidate.reading(),
                candidate.slot().isPresent()
                        ? inWords(
                                told.told(source.holder(scheme, candidate.slot().getAsLong())), told)
                        : "");
    }

    /** Without the session and the tenure, which are for operators. */
    private static String inWords(Holder holder, Visibility told) {
        return holder.lease()
                .map(lease -> told.tellsWhereabouts() ? lease.instance() + " on " + lease.host() : "a replica")
                .or(() -> holder.unknown().map(why -> "not known: " + why))
                .orElse("nobody");
    }
}
