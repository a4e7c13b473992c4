package org.idallocator.zk.settings;

import java.util.List;
import java.util.stream.Collectors;

/** Settings that cannot be used. Tells everything that is wrong with them at once, so that it can be mended at once. */
public final class InvalidSettingsException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final List<Mistake> mistakes;

    InvalidSettingsException(List<Mistake> mistakes) {
        super(mistakes.stream().map(Mistake::sentence).collect(Collectors.joining("; ")));
        this.mistakes = List.copyOf(mistakes);
    }

    /** One sentence for each mistake, naming the key, what is allowed and the bad value; secrets are left out. */
    public List<String> mistakes() {
        return mistakes.stream().map(Mistake::sentence).toList();
    }

    /** The same mistakes in the same order, each with its key. */
    public List<Mistake> details() {
        return mistakes;
    }
}
