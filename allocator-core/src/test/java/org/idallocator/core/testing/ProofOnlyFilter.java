package org.idallocator.core.testing;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestTag;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Leaves out what is {@link ProofOnly} in a build that says it is not the proof, {@code -Dproof=false}. An editor says
 * nothing, and runs whatever it is asked for. What was left out is written to {@code target/proof-only} when the JVM
 * ends, for the last line of the build.
 */
public final class ProofOnlyFilter implements PostDiscoveryFilter {
    private static final TestTag TAG = TestTag.create(ProofOnly.TAG);
    private static final Path NOTES = Path.of("target", "proof-only");
    private static final NavigableSet<String> LEFT_OUT = new ConcurrentSkipListSet<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ProofOnlyFilter::write));
    }

    private final boolean minutes = "false".equals(System.getProperty(Proof.PROPERTY));

    @Override
    public FilterResult apply(TestDescriptor test) {
        if (!minutes || !test.getTags().contains(TAG)) {
            return FilterResult.included("every build runs it");
        }
        note(test);
        return FilterResult.excluded("only the proof runs it");
    }

    private static void note(TestDescriptor test) {
        if (test.isTest() || test.mayRegisterTests()) {
            LEFT_OUT.add(test.getUniqueId().toString());
        }
        test.getChildren().forEach(ProofOnlyFilter::note);
    }

    /** Says so where nothing was left to run: a test that was asked for by name, and is green for no reason. */
    static void tellThatNothingRan(PrintStream console) {
        boolean asked = System.getProperty("test") != null || System.getProperty("it.test") != null;
        if (asked && !LEFT_OUT.isEmpty()) {
            console.println("PROOF ONLY: nothing ran here, because only the proof (-Pproof) runs " + LEFT_OUT);
        }
    }

    private static void write() {
        if (LEFT_OUT.isEmpty()) {
            return;
        }
        try {
            Files.createDirectories(NOTES);
            Files.write(NOTES.resolve(ProcessHandle.current().pid() + ".txt"), LEFT_OUT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
