package org.idallocator.zk.settings;

import java.util.List;

/** Settings that cannot be used. Tells everything that is wrong with them at once, so that it can be mended at once. */
public final class InvalidSettingsException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final List<String> mistakes;

    InvalidSettingsException(List<String> mistakes) {
        super(String.join("; ", mistakes));
        this.mistakes = List.copyOf(mistakes);
    }

    /** One sentence for each mistake, naming the key, what is allowed and the bad value; secrets are left out. */
    public List<String> mistakes() {
        return mistakes;
    }
}
