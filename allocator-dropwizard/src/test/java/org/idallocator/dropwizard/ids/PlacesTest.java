package org.idallocator.dropwizard.ids;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlacesTest {
    private final Places places = new Places(2);

    /** The end of a request is told by its callback and by the web server. */
    @Test
    void shouldGiveEachPlaceBackOnceHoweverOftenItIsClosed() {
        Places.Place first = places.take().orElseThrow();
        Places.Place second = places.take().orElseThrow();
        assertEquals(Optional.empty(), places.take());

        first.close();
        first.close();

        assertEquals(1, places.taken());
        assertEquals(1, places.givenBack());
        second.close();
        assertEquals(0, places.taken());
        assertEquals(2, places.givenBack());
    }
}
