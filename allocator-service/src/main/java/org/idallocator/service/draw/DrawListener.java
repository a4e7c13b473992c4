package org.idallocator.service.draw;

/** Hears of every draw of one scheme. Thread-safe. */
public interface DrawListener {
    /** Does not care. */
    DrawListener NONE = new DrawListener() {
        @Override
        public void issued(long ids) {}

        @Override
        public void failed(RuntimeException why) {}
    };

    void issued(long ids);

    void failed(RuntimeException why);
}
