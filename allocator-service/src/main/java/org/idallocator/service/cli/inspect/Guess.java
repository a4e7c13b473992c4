package org.idallocator.service.cli.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.Quoted;
import org.idallocator.service.text.Forms;
import org.idallocator.service.text.IdParser;

/** What a text says in each of the schemes and forms that it can be an ID of. */
public final class Guess {
    /** How far ahead of this machine's clock an ID's maker may be. */
    private static final Duration TOLERANCE = Duration.ofDays(1);

    private static final TickUnit MICROS = new TickUnit(0, 1, 62);

    private final List<Scheme<?>> schemes;
    private final Optional<String> form;
    private final Clock clock;

    /**
     * Guesses among some schemes.
     *
     * @param form the one form to read, which one of the schemes must have; all that a scheme has when empty
     */
    public Guess(List<Scheme<?>> schemes, Optional<String> form, Clock clock) {
        this.schemes = schemes.stream()
                .filter(scheme -> !forms(scheme, form).isEmpty())
                .toList();
        this.form = form;
        this.clock = clock;
        if (this.schemes.isEmpty()) {
            throw new CommandException(noSuchForm(schemes, form.orElse("")));
        }
    }

    private static String noSuchForm(List<Scheme<?>> schemes, String form) {
        return "form must be one of " + String.join(", ", Forms.names(schemes)) + ": " + form;
    }

    private static <T extends Id> List<Form<T>> forms(Scheme<T> scheme, Optional<String> form) {
        return Forms.readable(scheme).stream()
                .filter(each -> form.isEmpty() || form.get().equals(each.name()))
                .toList();
    }

    /** At least one, the most plausible first; throws {@link UnreadableException} with every scheme's reason otherwise. */
    public List<Candidate> candidates(String text) {
        List<Candidate> found = new ArrayList<>();
        schemes.forEach(scheme -> addCandidates(scheme, text, found));
        if (found.isEmpty()) {
            throw new UnreadableException(refusal(text));
        }
        found.sort(Candidate.mostPlausibleFirst(latest()));
        return found;
    }

    private Instant latest() {
        return MICROS.instantAt(clock.micros()).plus(TOLERANCE);
    }

    /** A text that says the same ID in two forms of a scheme is one candidate. */
    private <T extends Id> void addCandidates(Scheme<T> scheme, String text, List<Candidate> found) {
        Set<T> seen = new HashSet<>();
        for (Form<T> each : forms(scheme, form)) {
            parsed(each, text).filter(seen::add).ifPresent(id -> found.add(Candidate.of(scheme, each.name(), id)));
        }
    }

    private static <T extends Id> Optional<T> parsed(Form<T> form, String text) {
        try {
            return Optional.of(form.parse().apply(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // an answer, not a failure: where nobody reads the text, reason() asks again
        }
    }

    private String refusal(String text) {
        return "not an ID: " + Quoted.of(text) + " ("
                + schemes.stream().map(scheme -> reason(scheme, text)).collect(Collectors.joining("; ")) + ")";
    }

    /** Why a scheme refuses a text in the form that was named, else as its canonical text or hex. */
    private <T extends Id> String reason(Scheme<T> scheme, String text) {
        try {
            T id = form.isPresent()
                    ? forms(scheme, form).get(0).parse().apply(text)
                    : IdParser.parse(scheme, text, Optional.empty());
            throw new IllegalStateException("refused before, not now: " + id);
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
