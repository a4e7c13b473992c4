package org.idallocator.zk.settings;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;

/** What this software is. */
public final class Software {
    /** The version that it was built as, such as {@code 1.0.0}. */
    public static final String VERSION = version();

    private Software() {}

    private static String version() {
        Properties properties = new Properties();
        try (InputStream file = Software.class.getResourceAsStream("software.properties")) {
            properties.load(Objects.requireNonNull(file));
        } catch (IOException e) {
            throw new IllegalStateException("software.properties cannot be read", e);
        }
        return properties.getProperty("version");
    }
}
