package org.idallocator.spring;

import org.idallocator.core.id.BadValueException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in words why a program does not start one of whose keys has a bad value. */
final class BadKeyAnalyzer extends AbstractFailureAnalyzer<BadValueException> {
    @Override
    protected @Nullable FailureAnalysis analyze(Throwable failure, BadValueException cause) {
        if (!cause.key().startsWith(IdAllocatorProperties.PREFIX + ".")) {
            return null; // not of the configuration: a program may give a bad value to an ID as it starts
        }
        return new FailureAnalysis(
                "The configuration of the ID Allocator cannot be used: " + cause.getMessage() + ".",
                "Correct " + cause.key() + ". docs/library.md#in-a-spring-boot-program has a table of the keys.",
                cause);
    }
}
