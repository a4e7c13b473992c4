package org.idallocator.dropwizard.process;

/** With which status the process ends. Scripts and supervisors read these numbers. */
public enum ExitStatus {
    /** All is done that was asked. */
    DONE(0),
    /** What was asked could not be done. */
    FAILED(1),
    /** The call was not understood, or had a value that it does not take. */
    MISUSED(2),
    /** The process could not go on safely: IDs might have been issued twice. */
    UNSAFE(3);

    private final int code;

    ExitStatus(int code) {
        this.code = code;
    }

    /** The number that the system is told. */
    public int code() {
        return code;
    }
}
