package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Data that was serialized once must be readable for ever. {@link IdContract} tests the rest. */
final class SerializedIdTest {
    /** A {@link SerializedId} of tag 4 and an ID of 60 bits, as the first version wrote it. */
    private static final String DATA =
            "aced0005737200246f72672e6964616c6c6f6361746f722e636f72652e69642e53657269616c697a6564496400000000000000010200034a0004686967684a00036c6f77420003746167787000000000000000000123456789abcdef04";

    static Stream<Written> written() {
        return Stream.of(
                new Written(1, Sno.parse("8vlcf42gv94lg222")),
                new Written(2, Muid.parse("05D5EAC793E61F17B9F5B9479DF94AC0")),
                new Written(3, EightByteId.parse("aa3a3ed859800073")),
                new Written(4, Uid60.fromLong(1)),
                new Written(5, VolumeId.of(1, 2)),
                new Written(5, LogId.of(1, 2)),
                new Written(5, SegmentId.of(1, 2)));
    }

    @ParameterizedTest
    @MethodSource("written")
    void shouldKeepTagWhenWrittenAgain(Written written) {
        assertEquals(
                new SerializedId(
                        (byte) written.tag(), written.id().high(), written.id().low()),
                written.id().writeReplace());
    }

    @Test
    void shouldComeBackWhenWrittenByFirstVersion() throws IOException, ClassNotFoundException {
        assertEquals(
                Uid60.fromLong(0x0123_4567_89ab_cdefL),
                JavaSerialization.read(HexFormat.of().parseHex(DATA)));
    }

    @Test
    void shouldWriteWhatFirstVersionWroteWhenWrittenAgain() throws IOException {
        byte[] data = JavaSerialization.write(Uid60.fromLong(0x0123_4567_89ab_cdefL));

        assertEquals(DATA, HexFormat.of().formatHex(data));
    }

    @Test
    void shouldBeOfOwnTagWhenOfOwnKind() {
        List<Byte> tags = Stream.of(IdKind.values()).map(IdKind::tag).toList();

        assertEquals(tags.stream().distinct().toList(), tags);
    }

    private record Written(int tag, IdBits<?> id) {}
}
