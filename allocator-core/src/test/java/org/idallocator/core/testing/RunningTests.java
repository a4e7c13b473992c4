package org.idallocator.core.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * What a person reads while tests run: a line for each class that has ended, each failure in full when it happens, and
 * every 30 seconds which tests take longer than that:
 *
 * <pre>
 * SnoTest: 45 tests in 0.3 s
 * RUNNING: SimulationTest.shouldKeepIdsApart() for 41 s (seed 120 of 400)
 * </pre>
 *
 * It goes to the JVM's own standard output. What tests print by {@code System.out}, logs among it, is in a file for
 * each class, which a failure names. How far a test is, the test tells {@link Progress}.
 */
public final class RunningTests implements TestExecutionListener {
    /** The directory that Maven has those files in, from the system property of this name. */
    private static final String REPORTS = "reports";

    private static final long INTERVAL_MILLIS = 30_000;
    private static final int LONGEST_NAME = 60;

    private final PrintStream console = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
    private final Map<TestIdentifier, Running> running = new ConcurrentHashMap<>();
    private final Map<String, Totals> byClass = new ConcurrentHashMap<>();
    private final LongAdder ended = new LongAdder();
    private volatile @Nullable Timer timer;
    private volatile @Nullable TestPlan plan;

    private record Running(long fromNanos, Thread thread) {}

    private static final class Totals {
        final long fromNanos = System.nanoTime();
        final LongAdder tests = new LongAdder();
        final LongAdder skipped = new LongAdder();
        final LongAdder failed = new LongAdder();
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
        timer = new Timer("running-tests", true);
        timer.scheduleAtFixedRate(
                new TimerTask() {
                    @Override
                    public void run() {
                        tellWhatTakesLong();
                    }
                },
                INTERVAL_MILLIS,
                INTERVAL_MILLIS);
    }

    private void tellWhatTakesLong() {
        String now = running.entrySet().stream()
                .filter(test -> millisSince(test.getValue().fromNanos()) >= INTERVAL_MILLIS)
                .sorted(Comparator.comparingLong(test -> test.getValue().fromNanos()))
                .map(test -> name(test.getKey()) + told(test.getValue()))
                .collect(Collectors.joining(", "));
        if (!now.isEmpty()) {
            console.println("RUNNING: " + now);
        }
    }

    private static String told(Running test) {
        String progress = Progress.on(test.thread());
        return " for " + millisSince(test.fromNanos()) / 1_000 + " s"
                + (progress.isEmpty() ? "" : " (" + progress + ")");
    }

    private static long millisSince(long nanos) {
        return (System.nanoTime() - nanos) / 1_000_000;
    }

    /** The method, and the display name where one method makes several tests; of a class, its name. */
    private String name(TestIdentifier test) {
        String shown = shortened(test.getDisplayName());
        String within = simpleName(className(test).orElse(""));
        return method(test)
                .map(method -> shown.startsWith(method) ? within + "." + shown : within + "." + method + " " + shown)
                .orElse(within);
    }

    private static String shortened(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "...";
    }

    private static String simpleName(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }

    private Optional<String> method(TestIdentifier test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getMethodName())
                .or(() -> parent(test).flatMap(this::method));
    }

    private Optional<String> className(TestIdentifier test) {
        return test.getSource()
                .filter(ClassSource.class::isInstance)
                .map(source -> ((ClassSource) source).getClassName())
                .or(() -> parent(test).flatMap(this::className));
    }

    private Optional<TestIdentifier> parent(TestIdentifier test) {
        return Objects.requireNonNull(plan).getParent(test);
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        className(test).ifPresent(name -> byClass.computeIfAbsent(name, key -> new Totals()));
        if (test.isTest()) {
            Progress.forget(Thread.currentThread());
            running.put(test, new Running(System.nanoTime(), Thread.currentThread()));
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        totals(test).skipped.increment();
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Running over = running.remove(test);
        if (over != null) {
            Progress.forget(over.thread());
            ended.increment();
            totals(test).tests.increment();
        }
        switch (result.getStatus()) {
            case FAILED -> tellFailure(test, result);
            case ABORTED -> totals(test).skipped.increment();
            case SUCCESSFUL -> {}
        }
        if (test.getSource().filter(ClassSource.class::isInstance).isPresent()) {
            tellEnd(className(test).orElseThrow());
        }
    }

    private Totals totals(TestIdentifier test) {
        return byClass.computeIfAbsent(className(test).orElse(""), key -> new Totals());
    }

    private void tellFailure(TestIdentifier test, TestExecutionResult result) {
        totals(test).failed.increment();
        StringWriter failure = new StringWriter();
        result.getThrowable().ifPresent(thrown -> thrown.printStackTrace(new PrintWriter(failure, true)));
        String file = System.getProperty(REPORTS, "") + "/" + className(test).orElse("") + "-output.txt";
        console.println("FAILED: " + name(test) + ", with its log in " + file + "\n" + failure);
    }

    private void tellEnd(String className) {
        Totals totals = Objects.requireNonNull(byClass.remove(className));
        console.printf(
                "%s: %d tests in %.1f s%s%s%n",
                simpleName(className),
                totals.tests.sum(),
                millisSince(totals.fromNanos) / 1_000.0,
                totals.skipped.sum() == 0 ? "" : ", " + totals.skipped.sum() + " skipped",
                totals.failed.sum() == 0 ? "" : ", " + totals.failed.sum() + " FAILED");
    }

    @Override
    public void testPlanExecutionFinished(TestPlan ending) {
        Timer started = timer;
        if (started != null) {
            started.cancel();
        }
        if (ended.sum() == 0) {
            ProofOnlyFilter.tellThatNothingRan(console);
        }
    }
}
