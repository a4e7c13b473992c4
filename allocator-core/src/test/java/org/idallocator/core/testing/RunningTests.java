package org.idallocator.core.testing;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Prints every 30 seconds which tests run and for how long, because Maven says nothing before all tests of a class have ended:
 *
 * <pre>RUNNING: 14 tests have ended in 60 s; SimulationTest.shouldKeepIdsApart() for 41 s (seed 120 of 400)</pre>
 *
 * How far a test is, the test tells {@link Progress}.
 */
public final class RunningTests implements TestExecutionListener {
    private static final long INTERVAL_MILLIS = 30_000;
    private static final int LONGEST_NAME = 60;

    private final Map<TestIdentifier, Running> running = new ConcurrentHashMap<>();
    private final LongAdder ended = new LongAdder();
    private volatile @Nullable Timer timer;

    private record Running(long fromNanos, Thread thread) {}

    /** Takes standard output as it is now: some tests replace it for a while. */
    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        PrintStream console = System.out;
        long fromNanos = System.nanoTime();
        Timer started = new Timer("running-tests", true);
        started.scheduleAtFixedRate(
                new TimerTask() {
                    @Override
                    public void run() {
                        console.println(report(plan, fromNanos));
                    }
                },
                INTERVAL_MILLIS,
                INTERVAL_MILLIS);
        timer = started;
    }

    private String report(TestPlan plan, long fromNanos) {
        String now = running.entrySet().stream()
                .sorted(Comparator.comparingLong(test -> test.getValue().fromNanos()))
                .map(test -> name(plan, test.getKey()) + told(test.getValue()))
                .collect(Collectors.joining(", "));
        return "RUNNING: " + ended.sum() + " tests have ended in " + secondsSince(fromNanos) + " s; "
                + (now.isEmpty() ? "none runs now" : now);
    }

    private static String told(Running test) {
        String progress = Progress.on(test.thread());
        return " for " + secondsSince(test.fromNanos()) + " s" + (progress.isEmpty() ? "" : " (" + progress + ")");
    }

    private static long secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1_000_000_000;
    }

    /** The method, and the display name where one method makes several tests. */
    private static String name(TestPlan plan, TestIdentifier test) {
        String shown = shortened(test.getDisplayName());
        return method(plan, test)
                .map(method -> shown.startsWith(method.getMethodName())
                        ? method.getJavaClass().getSimpleName() + "." + shown
                        : method.getJavaClass().getSimpleName() + "." + method.getMethodName() + " " + shown)
                .orElse(shown);
    }

    private static String shortened(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "...";
    }

    private static Optional<MethodSource> method(TestPlan plan, TestIdentifier test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .or(() -> plan.getParent(test).flatMap(parent -> method(plan, parent)));
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            Progress.forget(Thread.currentThread());
            running.put(test, new Running(System.nanoTime(), Thread.currentThread()));
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Running over = running.remove(test);
        if (over != null) {
            Progress.forget(over.thread());
            ended.increment();
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        Timer started = timer;
        if (started != null) {
            started.cancel();
        }
        if (ended.sum() == 0) {
            ProofOnlyFilter.tellThatNothingRan(System.out);
        }
    }
}
