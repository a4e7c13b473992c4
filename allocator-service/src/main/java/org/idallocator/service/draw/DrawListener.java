package org.idallocator.service.draw;

/** Hears of every draw of one scheme. Thread-safe. */
public interface DrawListener {
    void issued(long ids);

    void failed(RuntimeException why);
}
