package org.idallocator.dropwizard.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * What commands read and write.
 *
 * @param out must throw an {@link java.io.IOException} when it takes no more, which {@link System#out} does not
 */
public record Streams(InputStream in, OutputStream out, PrintStream err) {

    /** The streams of this process. */
    public static Streams ofProcess() {
        return new Streams(System.in, new FileOutputStream(FileDescriptor.out), System.err);
    }
}
