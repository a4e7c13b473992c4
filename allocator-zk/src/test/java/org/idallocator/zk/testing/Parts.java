package org.idallocator.zk.testing;

import java.lang.reflect.Field;
import java.util.Collection;

/** What objects have inside: a process that is copied is copied with all of it. */
public final class Parts {
    private Parts() {}

    public static Object of(Object whole, String part) {
        try {
            return field(whole.getClass(), part).get(whole);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(part + " of " + whole, e);
        }
    }

    public static void copy(String part, Object from, Object to) {
        try {
            Field field = field(from.getClass(), part);
            field.set(to, field.get(from));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(part + " of " + from, e);
        }
    }

    /** Adds all that a collection of one has to that of the other: from then on each has its own. */
    @SuppressWarnings("unchecked")
    public static void addAll(String part, Object from, Object to) {
        ((Collection<Object>) of(to, part)).addAll((Collection<Object>) of(from, part));
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        throw new NoSuchFieldException(type + "." + name);
    }
}
