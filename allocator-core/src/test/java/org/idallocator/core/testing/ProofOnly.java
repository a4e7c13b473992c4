package org.idallocator.core.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks what only the proof runs, {@code mvn -B verify -Pproof}: a test, or all tests of a class. A test that every
 * build runs and the proof runs in a larger size asks {@link Proof} for the size instead.
 */
@Documented
@Tag(ProofOnly.TAG)
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface ProofOnly {
    String TAG = "proof";

    /** Why the test is not in every build. */
    String value();
}
