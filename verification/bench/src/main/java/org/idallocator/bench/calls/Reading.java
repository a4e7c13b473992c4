package org.idallocator.bench.calls;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/** An ID read from its canonical text. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Reading {
    @Benchmark
    public UUID uuid(Samples samples) {
        return UUID.fromString(samples.uuidTexts[samples.next()]);
    }

    @Benchmark
    public Sno sno(Samples samples) {
        return Sno.parse(samples.snoTexts[samples.next()]);
    }

    @Benchmark
    public Muid muid(Samples samples) {
        return Muid.parse(samples.muidTexts[samples.next()]);
    }

    @Benchmark
    public EightByteId eightbyte(Samples samples) {
        return EightByteId.parse(samples.eightbyteTexts[samples.next()]);
    }

    @Benchmark
    public Uid60 uid60(Samples samples) {
        return Uid60.parse(samples.uid60Texts[samples.next()]);
    }

    @Benchmark
    public Gid gid(Samples samples) {
        return Gid.parse(samples.gidTexts[samples.next()]);
    }
}
