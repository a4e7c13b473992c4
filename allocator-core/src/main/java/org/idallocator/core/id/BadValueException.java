package org.idallocator.core.id;

/**
 * A value that is not allowed: of a setting, of a parameter, or of a field of an ID. Its message is the key and the
 * rule, as in {@code sno.leases must be 1..64: 0}.
 */
public final class BadValueException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String key;
    private final String rule;

    /**
     * The refusal of a value.
     *
     * @param key what the value is called where it was given, {@code sno.leases}
     * @param rule what is allowed, and the value unless it may be a secret, {@code must be 1..64: 0}
     */
    public BadValueException(String key, String rule) {
        super(key + " " + rule);
        this.key = key;
        this.rule = rule;
    }

    /** The same, where {@code cause} has shown that the value cannot be used. */
    public BadValueException(String key, String rule, Throwable cause) {
        super(key + " " + rule, cause);
        this.key = key;
        this.rule = rule;
    }

    /** The same refusal in a larger text: {@code in("schemes")} names {@code schemes.sno.leases}. */
    public BadValueException in(String section) {
        return new BadValueException(section + "." + key, rule, this);
    }

    /** What the value is called where it was given. */
    public String key() {
        return key;
    }

    /** What is allowed, and mostly the value: the message without the key. */
    public String rule() {
        return rule;
    }
}
