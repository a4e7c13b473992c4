package org.idallocator.bench.calls;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/** The canonical text of an ID. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Writing {
    private static final byte[] READY = "0123456789ABCDEF0123456789ABCDEF".getBytes(StandardCharsets.ISO_8859_1);

    /** What a text takes at least outside of java.lang, whatever it says: a string of bytes that are there, as many as a muid has. */
    @Benchmark
    public String copied32() {
        return new String(READY, 0, 32, StandardCharsets.ISO_8859_1);
    }

    /** The same of as many as a gid has. */
    @Benchmark
    public String copied24() {
        return new String(READY, 0, 24, StandardCharsets.ISO_8859_1);
    }

    @Benchmark
    public String uuid(Samples samples) {
        return samples.uuids[samples.next()].toString();
    }

    @Benchmark
    public String sno(Samples samples) {
        return samples.snos[samples.next()].toString();
    }

    @Benchmark
    public String muid(Samples samples) {
        return samples.muids[samples.next()].toString();
    }

    @Benchmark
    public String eightbyte(Samples samples) {
        return samples.eightbytes[samples.next()].toString();
    }

    @Benchmark
    public String uid60(Samples samples) {
        return samples.uid60s[samples.next()].toString();
    }

    @Benchmark
    public String gid(Samples samples) {
        return samples.gids[samples.next()].toString();
    }
}
