package org.idallocator.faults.scene;

import java.io.DataOutputStream;
import java.io.IOException;

/** One direction of a replica's lines: shut, nothing passes, and what was sent waits until it is open again. */
final class Gate {
    private boolean shut;

    /** When this returns, nothing is on its way. */
    synchronized void shut() {
        shut = true;
    }

    synchronized void open() {
        shut = false;
        notifyAll();
    }

    /** Waits while it is shut. */
    synchronized void await() throws IOException {
        while (shut) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    /** Writes a frame with its length before it, once it may pass. */
    synchronized void pass(DataOutputStream out, byte[] frame) throws IOException {
        await();
        out.writeInt(frame.length);
        out.write(frame);
        out.flush();
    }
}
