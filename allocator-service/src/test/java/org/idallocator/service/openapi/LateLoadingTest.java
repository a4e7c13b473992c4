package org.idallocator.service.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.draw.Counts;
import org.junit.jupiter.api.Test;

/** No start, and no program without routes, waits for the library that describes them. */
class LateLoadingTest {
    private static final String LIBRARY = "io.swagger.";

    /** Loads this room and the library anew, and keeps in mind what was loaded. */
    private static final class Anew extends ClassLoader {
        private final Set<String> loaded = new ConcurrentSkipListSet<>();

        Anew() {
            super(LateLoadingTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            boolean anew = name.startsWith(LIBRARY) || name.startsWith(Description.class.getPackageName() + ".");
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                return known == null && anew ? define(name) : known == null ? super.loadClass(name, resolve) : known;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                loaded.add(name);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        List<String> ofLibrary() {
            return loaded.stream().filter(name -> name.startsWith(LIBRARY)).toList();
        }
    }

    @Test
    void shouldLoadTheLibraryWhenSomebodyAsks() throws ReflectiveOperationException {
        Anew loader = new Anew();
        Class<?> type = Class.forName(Description.class.getName(), true, loader);

        Object description = type.getConstructor(List.class, Counts.class)
                .newInstance(Schemes.all(), Counts.of(Schemes.all(), Map.of()));
        assertEquals(1, type.getDeclaredMethods().length, "whoever registers it looks at these");
        assertEquals(List.of(), loader.ofLibrary());

        type.getMethod("json", URI.class, Optional.class)
                .invoke(description, URI.create("http://localhost/"), Optional.empty());
        assertFalse(loader.ofLibrary().isEmpty());
    }
}
