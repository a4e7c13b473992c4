package org.idallocator.core.testing;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How far tests are, for what {@link RunningTests} prints. Thread-safe. */
public final class Progress {
    private static final Map<Thread, String> BY_THREAD = new ConcurrentHashMap<>();

    private Progress() {}

    /** Says how far the test on this thread is, such as {@code seed 120 of 400}. */
    public static void of(String what) {
        BY_THREAD.put(Thread.currentThread(), what);
    }

    static String on(Thread thread) {
        return BY_THREAD.getOrDefault(thread, "");
    }

    static void forget(Thread thread) {
        BY_THREAD.remove(thread);
    }
}
