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
    /**
     * A text as programs outside of java.lang can write it, whose bytes are copied into the string: here that of a
     * UUID.
     */
    @Benchmark
    public String uuidCopied(Samples samples) {
        byte[] text = samples.uuids[samples.next()].toString().getBytes(StandardCharsets.ISO_8859_1);
        return new String(text, StandardCharsets.ISO_8859_1);
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
