package org.idallocator.faults.load;

/**
 * How a request ended.
 *
 * @param name for people and for counting: {@code ok}, {@code refused}, {@code 503 ...}
 * @param again whether config/load-balancer asks another replica: nothing of an answer had come, or it was a 503
 */
public record Outcome(String name, boolean again) {
    static final Outcome OK = new Outcome("ok", false);
    /** Nobody listens. */
    static final Outcome REFUSED = new Outcome("connection refused", true);
    /** The connection ended before an answer began. */
    static final Outcome EMPTY = new Outcome("no answer", true);
    /** No answer began in time. */
    static final Outcome TIMEOUT = new Outcome("timeout", true);
    /** The answer began and did not come to its end. */
    static final Outcome CUT_OFF = new Outcome("cut off", false);
    /** No replica says that it is ready. */
    static final Outcome NOBODY = new Outcome("no replica ready", true);

    /** Another status than 200; {@code detail} is what the service says, of which the first sentence counts. */
    static Outcome status(int status, String detail) {
        String reason = detail.strip().replaceFirst("(?s)( \\(|[;:\n]).*", "");
        return new Outcome(status + " " + reason, status == 503);
    }

    public boolean ok() {
        return equals(OK);
    }

    /** Whether a replica said that it may not issue. */
    boolean fenced() {
        return name.startsWith("503");
    }
}
