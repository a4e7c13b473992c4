package org.idallocator.dropwizard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.reflect.ClassPath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.id.BadValueException;
import org.idallocator.dropwizard.process.ExitStatus;
import org.junit.jupiter.api.Test;

class FailuresTest {
    /** ArchitectureTest wants every exception to be named so. */
    private static final Pattern OURS = Pattern.compile("org\\.idallocator\\.(core|zk|dropwizard)\\..*Exception");

    private static final Pattern TESTS = Pattern.compile(".*(/test-classes/|-tests\\.jar!).*");

    /** Our own exceptions that end no command: somebody catches them before, or they are a mistake of the program. */
    private static final Set<String> UNEXPECTED = Set.of(
            // of texts and values: CommandException.asMisuse, Problems.asBadRequest, Checks.report and inspect catch
            // them
            "BadValueException",
            "IdFormatException",
            "UnknownSchemeException",
            "UnreadableIdException",
            // of ZooKeeper: operators get an UnreachableException, and drawing threads a FencedException
            "ChangedMeanwhileException",
            "NoneMayServeException",
            "RolledBackException",
            "StoreException",
            // the process ends at once
            "DirectoryLostException",
            // of draws after an ID that was seen: no command makes any
            "AheadException",
            "TooFarAheadException",
            // of HTTP alone
            "ApiException",
            "BusyException",
            "ClientGoneException");

    /** Whoever adds an exception says here, or in the list of the expected ones, how a command ends that throws it. */
    @Test
    void shouldKnowEachExceptionOfOurs() throws IOException {
        Set<String> ours = ClassPath.from(getClass().getClassLoader()).getAllClasses().stream()
                .filter(type -> OURS.matcher(type.getName()).matches())
                .filter(type -> !TESTS.matcher(type.url().toString()).matches())
                .map(ClassPath.ClassInfo::getSimpleName)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> expected = Failures.EXPECTED.stream()
                .filter(type -> type.getName().startsWith("org.idallocator."))
                .map(Class::getSimpleName)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> known = new TreeSet<>(UNEXPECTED);

        assertTrue(known.addAll(expected));
        assertEquals(UNEXPECTED.size() + expected.size(), known.size(), "none is both");
        assertEquals(known, ours);
    }

    @Test
    void shouldExpectWhatWhoeverRunsTheProgramCanMend() {
        assertTrue(Failures.isExpected(new FencedException(FenceReason.CLOCK_SKEW, "ahead", Duration.ZERO)));
        assertTrue(Failures.isExpected(new FileNotFoundException("File a.yml not found")));
        assertFalse(Failures.isExpected(new BadValueException("count", "must be 1 or more: 0")));
        assertFalse(Failures.isExpected(new IllegalStateException("never")));
    }

    /** A library throws the same for its own mistakes, and only a stack trace says where. */
    @Test
    void shouldTakeForMisuseOnlyWhatIsSaidOfAValue() {
        BadValueException bad = new BadValueException("slot", "must be 0..9: 10");
        IllegalArgumentException other = new IllegalArgumentException("of a library");

        CommandException misuse =
                assertThrows(CommandException.class, () -> CommandException.asMisuse(() -> throwing(bad)));
        assertEquals(ExitStatus.MISUSED, misuse.status());
        assertSame(
                other,
                assertThrows(IllegalArgumentException.class, () -> CommandException.asMisuse(() -> throwing(other))));
    }

    private static String throwing(RuntimeException error) {
        throw error;
    }
}
