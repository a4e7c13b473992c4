package org.idallocator.core.id;

import static java.io.ObjectStreamConstants.SC_SERIALIZABLE;
import static java.io.ObjectStreamConstants.STREAM_MAGIC;
import static java.io.ObjectStreamConstants.STREAM_VERSION;
import static java.io.ObjectStreamConstants.TC_CLASSDESC;
import static java.io.ObjectStreamConstants.TC_ENDBLOCKDATA;
import static java.io.ObjectStreamConstants.TC_NULL;
import static java.io.ObjectStreamConstants.TC_OBJECT;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;

/** Objects as Java's serialized data, some of it such as no {@link ObjectOutputStream} writes. */
final class JavaSerialization {
    private JavaSerialization() {}

    static byte[] write(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    static Object read(byte[] data) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(data))) {
            return in.readObject();
        }
    }

    /** An instance of the class itself without fields, and not what its {@code writeReplace} would write in its place. */
    static byte[] direct(Class<?> type, boolean withSuperclasses) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(STREAM_MAGIC);
        out.writeShort(STREAM_VERSION);
        out.writeByte(TC_OBJECT);
        describe(type, out);
        Class<?> upper = type.getSuperclass();
        while (withSuperclasses && upper != Object.class) {
            describe(upper, out);
            upper = upper.getSuperclass();
        }
        out.writeByte(TC_NULL);
        return bytes.toByteArray();
    }

    private static void describe(Class<?> type, DataOutputStream out) throws IOException {
        out.writeByte(TC_CLASSDESC);
        out.writeUTF(type.getName());
        out.writeLong(ObjectStreamClass.lookup(type).getSerialVersionUID());
        out.writeByte(SC_SERIALIZABLE);
        out.writeShort(0);
        out.writeByte(TC_ENDBLOCKDATA);
    }
}
