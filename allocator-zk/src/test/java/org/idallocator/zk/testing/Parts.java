package org.idallocator.zk.testing;

import java.lang.reflect.Field;

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
