package org.idallocator.service.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * What commands read and write whose input or output may be long.
 *
 * @param out throws when it takes no more, unlike {@link System#out}, which keeps that to itself
 * @param progress whether somebody looks at {@code err} while {@code out} goes elsewhere
 */
public record StandardStreams(InputStream in, OutputStream out, PrintStream err, boolean progress) {

    /** Those of this process. */
    public static StandardStreams ofProcess() {
        return new StandardStreams(
                System.in,
                new FileOutputStream(FileDescriptor.out),
                System.err,
                Terminal.STANDARD_ERROR.present() && !Terminal.STANDARD_OUTPUT.present());
    }
}
