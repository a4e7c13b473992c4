package org.idallocator.zk.znode;

import static com.google.common.base.Preconditions.checkArgument;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.deser.std.StdDelegatingDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.databind.util.StdConverter;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.idallocator.zk.settings.Shown;
import org.idallocator.zk.store.StoreException;
import org.jspecify.annotations.Nullable;

/** Payloads as JSON that a person can read. {@link Version} says how replicas of several versions share them. */
public final class Json {
    /**
     * Its buffers are its own: Jackson's usual ones stay with each thread, and keep the class loader of the library.
     */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
            .build();

    private static final ObjectMapper MAPPER = JsonMapper.builder(FACTORY)
            .addModule(new SimpleModule()
                    .addSerializer(Instant.class, ToStringSerializer.instance)
                    .addDeserializer(Instant.class, new StdDelegatingDeserializer<>(new InstantText())))
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES) // a ceiling that is missing is not 0
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .withCoercionConfig(
                    LogicalType.Textual,
                    texts -> texts // what is no text was written by no replica
                            .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
            .build();

    /** What Jackson says beside what is wrong, for who configures it. */
    private static final Pattern ADVICE = Pattern.compile(" \\((?:set|but|token) .*", Pattern.DOTALL);

    private Json() {}

    /** A time as text. Numbers were written by no replica. */
    private static final class InstantText extends StdConverter<String, Instant> {
        @Override
        public Instant convert(String text) {
            return Instant.parse(text);
        }
    }

    public static String write(Object payload) {
        try {
            return MAPPER.writeValueAsString(payload);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write " + payload, e);
        }
    }

    /**
     * The payload of the node at {@code path}; throws {@link StoreException} naming the node, {@code MALFORMED} when it
     * is no such thing, and {@code NEWER} when only later versions can understand it.
     *
     * @param place throws {@link IllegalArgumentException} saying why a payload does not fit its place, which makes it
     *     malformed
     */
    static <T> T read(String path, String payload, Class<T> type, Consumer<T> place) {
        int version = Version.OURS;
        try {
            JsonNode tree = MAPPER.readTree(payload);
            int readableFrom = Version.readableFrom(tree);
            if (readableFrom > Version.OURS) {
                throw newer(path + " can be understood from shape version " + readableFrom + " on", null);
            }
            version = Version.of(tree);
            Version.shape(tree);
            T read = Objects.requireNonNull(MAPPER.treeToValue(tree, type));
            place.accept(read);
            return read;
        } catch (JsonProcessingException | NullPointerException | IllegalArgumentException e) {
            if (version > Version.OURS) { // what a later version wrote is not malformed, whatever this one makes of it
                throw newer(path + " was written by shape version " + version + ", and cannot be read", e);
            }
            throw new StoreException(
                    StoreException.Kind.MALFORMED, path + " does not hold a " + inWords(type) + why(e), e);
        }
    }

    private static StoreException newer(String what, @Nullable Exception cause) {
        return new StoreException(
                StoreException.Kind.NEWER, what + "; this software knows shape version " + Version.OURS, cause);
    }

    /** What is wrong with a field of the payload; empty for a payload that has no such fields. */
    private static String why(Exception e) {
        if ((e.getCause() == null ? e : e.getCause()) instanceof IllegalArgumentException bounds) {
            return ": " + bounds.getMessage();
        }
        if (!(e instanceof JsonMappingException kind) || kind.getPath().isEmpty()) {
            return "";
        }
        String words = ADVICE.matcher(kind.getOriginalMessage()).replaceFirst("");
        return ": " + kind.getPath().get(0).getFieldName() + ": " + Shown.of(words);
    }

    /** {@code slot record}: what operators call the payload of that type. */
    private static String inWords(Class<?> type) {
        return type.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }

    /**
     * A value as JSON inside a payload, as it is after writing and reading: a number has the smallest type that holds
     * it.
     */
    public static JsonNode tree(Object value) {
        try {
            return MAPPER.readTree(write(value));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot read " + value, e);
        }
    }

    /** The value of JSON inside a payload; throws {@link IllegalArgumentException} when it is none. */
    public static <T> T value(JsonNode tree, Class<T> type) {
        checkArgument(!tree.isNull(), "not a %s: null", type.getSimpleName());
        return MAPPER.convertValue(tree, type);
    }
}
