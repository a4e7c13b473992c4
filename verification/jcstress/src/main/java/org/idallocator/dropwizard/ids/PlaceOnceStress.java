package org.idallocator.dropwizard.ids;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;

/** The end of a request is told twice: its place is given back once, and the other place stays taken. */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "One place came back.")
@State
public class PlaceOnceStress {
    private final Places places = new Places(2);
    private final Places.Place place = places.take().orElseThrow();

    public PlaceOnceStress() {
        places.take();
    }

    @Actor
    public void ends() {
        place.close();
    }

    @Actor
    public void endsToo() {
        place.close();
    }

    @Arbiter
    public void after(IJ_Result r) {
        r.r1 = places.taken();
        r.r2 = places.givenBack();
    }
}
