package org.idallocator.bench.calls;

import cn.hutool.core.lang.Snowflake;
import com.github.f4b6a3.tsid.Tsid;
import com.github.f4b6a3.tsid.TsidFactory;
import com.github.f4b6a3.uuid.UuidCreator;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * One ID of others. Snowflakes hold 4,096 in a millisecond, 244 ns each; what they measure beyond that is waiting.
 * TSIDs and the UUIDs go on above their time instead.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Peers {
    private final MillisecondSnowflakeId cosid = new MillisecondSnowflakeId(1);
    private final Snowflake hutool = new Snowflake(1, 1);
    private final TsidFactory tsids = TsidFactory.newInstance1024(1);

    @Benchmark
    public long cosidSnowflake() {
        return cosid.generate();
    }

    @Benchmark
    public long hutoolSnowflake() {
        return hutool.nextId();
    }

    @Benchmark
    public Tsid tsid() {
        return tsids.create();
    }

    @Benchmark
    public UUID uuid7() {
        return UuidCreator.getTimeOrderedEpoch();
    }
}
