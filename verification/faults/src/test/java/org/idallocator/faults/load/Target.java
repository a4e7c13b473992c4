package org.idallocator.faults.load;

import java.net.URI;

/**
 * A replica as clients see it.
 *
 * @param uri where it answers HTTP, also after a restart
 * @param track what comes from it
 */
public record Target(URI uri, Track track) {
    @Override
    public String toString() {
        return track.replica();
    }
}
