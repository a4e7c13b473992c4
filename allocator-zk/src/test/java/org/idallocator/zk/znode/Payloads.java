package org.idallocator.zk.znode;

import java.util.Optional;
import org.idallocator.zk.store.StoreException;

/** Payloads as tests read them, whatever node they belong to. Programs read nodes, see {@link Znodes}. */
public final class Payloads {
    private Payloads() {}

    /** Throws {@link StoreException} where the payload cannot be read. */
    public static <T> T read(String path, String payload, Class<T> type) {
        return Json.read(path, payload, type, read -> {});
    }

    /** Empty where the payload cannot be read. */
    public static <T> Optional<T> readable(String path, String payload, Class<T> type) {
        try {
            return Optional.of(read(path, payload, type));
        } catch (StoreException e) {
            return Optional.empty();
        }
    }
}
