package org.idallocator.dropwizard.console;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.api.Visibility;
import org.idallocator.dropwizard.decode.Candidate;
import org.idallocator.dropwizard.decode.IdGuesser;
import org.idallocator.dropwizard.decode.UnreadableIdException;
import org.idallocator.zk.IdSource;
import org.idallocator.zk.operator.Holder;

/**
 * What a text says that somebody pasted into the console.
 *
 * @param input the text
 * @param candidates all ways to read the text, one or more, the most plausible first
 */
record Reading(String input, List<Way> candidates) {
    /**
     * The longest text that is read, in characters: longer than an ID in any form, with room for mistakes around the
     * ID.
     */
    private static final int LONGEST = 1_024;

    /**
     * One way to read a text.
     *
     * @param candidate what the ID says, without who holds the slot
     * @param holder who holds the slot now, in words
     */
    record Way(@JsonUnwrapped Candidate candidate, String holder) {}

    /**
     * Reads a text.
     *
     * @throws UnreadableIdException when the text is no ID, saying why
     * @throws BadValueException when the text is blank or too long
     */
    static Reading of(String text, IdSource source, Visibility visibility) {
        if (text.isBlank() || text.length() > LONGEST) {
            throw new BadValueException(
                    "id",
                    "must be a text of 1.." + LONGEST + " characters: it has "
                            + text.strip().length());
        }
        String input = text.strip();
        List<Candidate> candidates =
                new IdGuesser(source.schemes(), Optional.empty(), Clock.system()).candidates(input);
        return new Reading(
                input,
                candidates.stream().map(each -> way(each, source, visibility)).toList());
    }

    private static Way way(Candidate candidate, IdSource source, Visibility visibility) {
        Scheme<?> scheme = Schemes.named(candidate.reading().scheme(), source.schemes());
        OptionalLong slot = candidate.slot();
        String holder = slot.isPresent() ? inWords(source.holder(scheme, slot.getAsLong()), visibility) : "";
        return new Way(candidate, holder);
    }

    /** The holder in words, without session and tenure, which are for operators. */
    private static String inWords(Holder holder, Visibility visibility) {
        Holder shown = visibility.redacted(holder);
        return shown.lease()
                .map(lease -> visibility.tellsWhereabouts() ? lease.instance() + " on " + lease.host() : "a replica")
                .or(() -> shown.unknown().map(why -> "not known: " + why))
                .orElse("nobody");
    }
}
