package org.idallocator.service.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * What commands read and write.
 *
 * @param out must throw when it takes no more; {@link System#out} does not
 * @param watched whether somebody looks at {@code err}, and is told there what a command waits for
 * @param progress whether to tell on {@code err} how far a command is: somebody looks at it, and {@code out} goes elsewhere
 */
public record StandardStreams(InputStream in, OutputStream out, PrintStream err, boolean watched, boolean progress) {

    /** The streams of this process. */
    public static StandardStreams ofProcess() {
        return new StandardStreams(
                System.in,
                new FileOutputStream(FileDescriptor.out),
                System.err,
                Terminal.STANDARD_ERROR.present(),
                Terminal.STANDARD_ERROR.present() && !Terminal.STANDARD_OUTPUT.present());
    }
}
