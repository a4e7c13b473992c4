package org.idallocator.zk;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.LocalServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A program within a program, as an application server has them, takes the library with it when it goes: what it draws
 * with is loaded by a class loader of its own, which is thrown away.
 */
@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ProofOnly("four class loaders, each with a client of ZooKeeper")
final class ClassLoaderTest {
    private static final int IDS = 100;

    @AutoClose
    private static final LocalServer SERVER = LocalServer.start();

    /** Where a program has {@code org.crac}, that knows of the library. */
    @ParameterizedTest
    @ValueSource(strings = {"logback", "logback|crac-"})
    void shouldLeaveNothingBehindWhenClosed(String without) throws Exception {
        WeakReference<ClassLoader> loader = drawInALoaderOfItsOwn(without);
        drawInALoaderOfItsOwn(without); // from now on Java itself keeps the classes of records that this one compares

        await("the class loader is collected").until(() -> {
            System.gc();
            return loader.refersTo(null);
        });
    }

    /** Everything but the logging, which belongs to whoever runs the program, is loaded once more. */
    private static WeakReference<ClassLoader> drawInALoaderOfItsOwn(String without) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(classPath(without), ClassLoader.getPlatformClassLoader())) {
            Class<?> program = loader.loadClass(DrawingProgram.class.getName());
            assertNotSame(DrawingProgram.class, program);
            assertEquals(IDS, drawnBy(program));
            await("its threads end").untilAsserted(() -> assertEquals(List.of(), threadsOf(loader)));
            return new WeakReference<>(loader);
        }
    }

    /** The program has its own loader for its threads, as an application server gives it. */
    private static Object drawnBy(Class<?> program) throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(program.getClassLoader());
        try {
            return program.getMethod("draw", String.class, int.class).invoke(null, SERVER.connect(), IDS);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static URL[] classPath(String without) throws MalformedURLException {
        List<URL> path = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!Pattern.compile(without).matcher(entry).find()) {
                path.add(Path.of(entry).toUri().toURL());
            }
        }
        return path.toArray(URL[]::new);
    }

    /** The threads that hold a class loader. */
    private static List<Thread> threadsOf(ClassLoader loader) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getContextClassLoader() == loader
                        || thread.getClass().getClassLoader() == loader)
                .toList();
    }
}
