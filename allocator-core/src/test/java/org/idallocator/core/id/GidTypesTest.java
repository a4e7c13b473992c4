package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.commons.support.ReflectionSupport;

/** The types of gid: each reads its own IDs and refuses those of the others. {@link GidTest} tests what they share. */
final class GidTypesTest {
    private static final long NOW_MS = 1_762_462_218_588L;
    private static final JsonMapper JSON = new JsonMapper();

    /** The classes have the same methods, each of its own. */
    static Stream<Arguments> types() {
        return Stream.of(
                Arguments.of(GidType.VOLUME, VolumeId.of(NOW_MS, -7)),
                Arguments.of(GidType.LOG, LogId.of(NOW_MS, -7)),
                Arguments.of(GidType.SEGMENT, SegmentId.of(NOW_MS, -7)));
    }

    /** Every way to read {@code id}, as long as it is of this class. */
    private static List<Callable<Object>> readings(Class<?> valueClass, Gid id) {
        var keys = JSON.getTypeFactory().constructMapType(Map.class, valueClass, Integer.class);
        return List.of(
                () -> call(valueClass, "parse", id.toString()),
                () -> call(valueClass, "valueOf", id.toString()),
                () -> call(valueClass, "parseHex", id.toHex()),
                () -> call(valueClass, "fromBytes", id.toBytes()),
                () -> call(valueClass, "fromUuid", id.toUuid()),
                () -> JSON.readValue(JSON.writeValueAsString(id), valueClass),
                () -> JSON.<Map<?, ?>>readValue(JSON.writeValueAsString(Map.of(id, 1)), keys)
                        .keySet()
                        .iterator()
                        .next());
    }

    private static Object call(Class<?> valueClass, String method, Object given) {
        Method found = ReflectionSupport.findMethod(valueClass, method, given.getClass())
                .orElseThrow();
        return Objects.requireNonNull(ReflectionSupport.invokeMethod(found, null, given));
    }

    /** Also with the second prefix of newer writers. */
    @ParameterizedTest
    @MethodSource("types")
    void shouldBeOfItsClassWhicheverWayItIsRead(GidType type, Gid written) throws Exception {
        Gid newer = Gid.ofBits((written.high() & ~0xffL) | 0xe7, 5);

        assertEquals(Gid.of(type, NOW_MS, -7), written);
        for (Gid id : List.of(written, newer)) {
            assertSame(type, id.type());
            assertInstanceOf(written.getClass(), id);
            assertEquals(Optional.of(id), call(written.getClass(), "tryParse", id.toString()));
            for (Callable<Object> reading : readings(written.getClass(), id)) {
                assertEquals(id, reading.call());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void shouldRefuseWhenIdIsOfAnotherType(GidType type, Gid own) {
        for (GidType another : EnumSet.complementOf(EnumSet.of(type))) {
            Gid other = Gid.of(another, NOW_MS, 3);
            String expected = "gid must be of type %s: %s is of type %s".formatted(type, other, another);
            for (Callable<Object> reading : readings(own.getClass(), other)) {
                Exception refused = assertThrows(Exception.class, reading::call);
                assertTrue(String.valueOf(refused.getMessage()).contains(expected), refused::toString);
                assertEquals(Optional.empty(), call(own.getClass(), "tryParse", other.toString()));
            }
        }
    }
}
