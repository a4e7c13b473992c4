package org.idallocator.bench.calls;

import java.util.Random;
import java.util.UUID;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** As many IDs of each kind as keep a processor from foreseeing the next, and few enough for its cache. */
@State(Scope.Thread)
public class Samples {
    static final int COUNT = 1024;

    final Sno[] snos = new Sno[COUNT];
    final Muid[] muids = new Muid[COUNT];
    final EightByteId[] eightbytes = new EightByteId[COUNT];
    final Uid60[] uid60s = new Uid60[COUNT];
    final Gid[] gids = new Gid[COUNT];
    final UUID[] uuids = new UUID[COUNT];

    final String[] snoTexts = new String[COUNT];
    final String[] muidTexts = new String[COUNT];
    final String[] eightbyteTexts = new String[COUNT];
    final String[] uid60Texts = new String[COUNT];
    final String[] gidTexts = new String[COUNT];
    final String[] uuidTexts = new String[COUNT];

    private int next;

    public Samples() {
        Random random = new Random(1);
        for (int i = 0; i < COUNT; i++) {
            snos[i] = new Sno(random.nextInt(1 << 16), random.nextLong());
            muids[i] = new Muid(random.nextLong(), random.nextLong());
            eightbytes[i] = new EightByteId(0, random.nextLong() & ~0xfc00L);
            uid60s[i] = new Uid60(0, random.nextLong() >>> 4);
            gids[i] = Gid.ofBits(Gid.highBits(GidType.VOLUME, random.nextLong() >>> 16), random.nextLong());
            uuids[i] = new UUID(random.nextLong(), random.nextLong());
            snoTexts[i] = snos[i].toString();
            muidTexts[i] = muids[i].toString();
            eightbyteTexts[i] = eightbytes[i].toString();
            uid60Texts[i] = uid60s[i].toString();
            gidTexts[i] = gids[i].toString();
            uuidTexts[i] = uuids[i].toString();
        }
    }

    int next() {
        return next = next + 1 & COUNT - 1;
    }
}
