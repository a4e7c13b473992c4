package org.idallocator.dropwizard.process;

/** The status with which the process ends. Scripts and supervisors read these numbers. */
public enum ExitStatus {
    /** Everything was done that was asked for. */
    DONE(0),
    /** What was asked for could not be done. */
    FAILED(1),
    /** The call was not understood, or had a value that is not allowed. */
    MISUSED(2),
    /** The process could not go on safely: IDs might have been issued twice. */
    UNSAFE(3);

    private final int code;

    ExitStatus(int code) {
        this.code = code;
    }

    /** The number that the operating system is told. */
    public int code() {
        return code;
    }
}
