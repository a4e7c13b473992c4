package org.idallocator.dropwizard.decode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;

/** Guesses which IDs a text can be, in several schemes and forms. Thread-safe. */
public final class IdGuesser {
    /** How far the clock that made an ID may be ahead of this machine's. */
    private static final Duration TOLERANCE = Duration.ofDays(1);

    private final List<Scheme<?>> schemes;
    private final Optional<String> form;
    private final Clock clock;

    /**
     * A guesser among those of the schemes that have the form.
     *
     * @param form the name of the one form to read; when empty, every form that a scheme has
     * @param clock tells which times are still ahead, and so less plausible
     * @throws BadValueException when none of the schemes has the form
     */
    public IdGuesser(List<Scheme<?>> schemes, Optional<String> form, Clock clock) {
        this.schemes = schemes.stream()
                .filter(scheme -> !forms(scheme, form).isEmpty())
                .toList();
        this.form = form;
        this.clock = clock;
        if (this.schemes.isEmpty()) {
            throw Forms.unknown(form.orElse(""), schemes);
        }
    }

    private static <T extends Id> List<Form<T>> forms(Scheme<T> scheme, Optional<String> form) {
        return Forms.all(scheme).stream()
                .filter(each -> form.isEmpty() || form.get().equals(each.name()))
                .toList();
    }

    /**
     * All ways to read a text, one or more, the most plausible first.
     *
     * @throws UnreadableIdException when there is none, naming the forms that were tried
     */
    public List<Candidate> candidates(String text) {
        List<Candidate> found = new ArrayList<>();
        schemes.forEach(scheme -> addCandidates(scheme, text, found));
        if (found.isEmpty()) {
            throw new UnreadableIdException("not an ID: " + Quoted.of(text) + " (the forms are "
                    + String.join(", ", form.map(List::of).orElseGet(() -> Forms.names(schemes))) + ")");
        }
        Instant now = clock.instant();
        found.sort(Candidate.mostPlausibleFirst(now.plus(TOLERANCE)));
        return found;
    }

    /** Adds a candidate for each ID of a scheme. A text that says the same ID in two forms gives one candidate. */
    private <T extends Id> void addCandidates(Scheme<T> scheme, String text, List<Candidate> found) {
        Set<T> seen = new HashSet<>();
        for (Form<T> each : forms(scheme, form)) {
            Forms.parsed(each, text)
                    .filter(seen::add)
                    .ifPresent(id -> found.add(Candidate.of(scheme, each.name(), id)));
        }
    }
}
