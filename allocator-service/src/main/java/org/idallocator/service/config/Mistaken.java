package org.idallocator.service.config;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import io.dropwizard.util.DataSize;
import io.dropwizard.util.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.zk.settings.Shown;
import org.jspecify.annotations.Nullable;

/**
 * Says in the words of the file what is wrong with one value or key, which Jackson refused. Classes, fields and setters have no
 * place in what is said.
 */
final class Mistaken {
    private static final Set<Class<?>> WHOLE =
            Set.of(int.class, Integer.class, long.class, Long.class, short.class, Short.class);

    /** Types that are one value to the file, whatever they offer to Java. */
    private static final Set<Class<?>> VALUES = Set.of(Duration.class, DataSize.class);

    private static final Pattern SECRET =
            Pattern.compile("(?i)password|passphrase|passwd|secret|auth|credential|token");

    private final ObjectMapper mapper;

    Mistaken(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /**
     * What to say, in one line.
     *
     * @param path the path of the key, or {@code the file}
     * @param node what the file has there
     */
    String about(JsonMappingException e, String path, JsonNode node) {
        if (e instanceof UnrecognizedPropertyException unknown) {
            String name = unknown.getPropertyName();
            int end = path.length() - name.length() - 1;
            return (end < 0 ? "the file" : path.substring(0, end)) + " has no key " + name + "; "
                    + Nearest.guess(name, keys(unknown.getReferringClass()));
        }
        if (e instanceof InvalidTypeIdException type) {
            String known = String.join(", ", types(type.getBaseType()));
            return node.hasNonNull("type")
                    ? path + ".type must be one of " + known + ": "
                            + Shown.of(node.get("type").asText())
                    : path + " must have a type, one of " + known;
        }
        return path + " " + allowed(type(e)) + shown(type(e), path, node)
                + (type(e) == Duration.class && node.asText().matches("[0-9]+")
                        ? "; write " + node.asText() + "s"
                        : "");
    }

    private static Class<?> type(JsonMappingException e) {
        if (e instanceof MismatchedInputException mismatched) {
            return Optional.<Class<?>>ofNullable(mismatched.getTargetType()).orElse(Object.class);
        }
        return e instanceof ValueInstantiationException refused
                ? refused.getType().getRawClass()
                : Object.class;
    }

    /** Keys that a person may write: none that is out of use, and no list that a class only shows. */
    private List<String> keys(Class<?> type) {
        return mapper.getDeserializationConfig().introspect(mapper.constructType(type)).findProperties().stream()
                .filter(property -> property.hasSetter() || property.hasField() || property.hasConstructorParameter())
                .filter(property -> !outOfUse(property))
                .map(BeanPropertyDefinition::getName)
                .toList();
    }

    private static boolean outOfUse(BeanPropertyDefinition property) {
        return Stream.of(property.getSetter(), property.getField(), property.getGetter())
                .anyMatch(member -> member != null && member.hasAnnotation(Deprecated.class));
    }

    /** The names of all kinds of a section that has several. */
    private List<String> types(JavaType base) {
        var config = mapper.getDeserializationConfig();
        return mapper
                .getSubtypeResolver()
                .collectAndResolveSubtypesByTypeId(
                        config,
                        config.introspectClassAnnotations(base.getRawClass()).getClassInfo())
                .stream()
                .filter(NamedType::hasName)
                .map(NamedType::getName)
                .sorted()
                .distinct()
                .toList();
    }

    /**
     * What the file has there: the value where a single one belongs, else only its kind. A file that is no configuration, but
     * holds a secret, is not repeated.
     */
    private String shown(Class<?> type, String path, JsonNode node) {
        if (node.isArray()) {
            return ", not a list";
        }
        if (node.isObject()) {
            return ", not keys of its own";
        }
        return hasParts(type) ? ", not a single value" : shown(path, node.asText());
    }

    /** The value of a key, unless the key is one of secrets. */
    static String shown(String path, Object value) {
        return SECRET.matcher(path).find() ? " (the value is not shown)" : ": " + Shown.of(value);
    }

    /** Whether a value that was read stood in the file as a single one. */
    static boolean isSingle(@Nullable Object value) {
        return value instanceof Number
                || value instanceof CharSequence
                || VALUES.stream().anyMatch(type -> type.isInstance(value));
    }

    private boolean hasParts(Class<?> type) {
        return isList(type) || Map.class.isAssignableFrom(type) || isSection(type);
    }

    private String allowed(Class<?> type) {
        if (type == Duration.class) {
            return "must be a number and a unit, such as 10s or 500ms";
        }
        if (type == DataSize.class) {
            return "must be a number and a unit, such as 64KiB";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "must be true or false";
        }
        if (type.isEnum()) {
            return "must be one of "
                    + Stream.of(type.getEnumConstants())
                            .map(each -> each.toString().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "));
        }
        if (WHOLE.contains(type)) {
            return "must be a whole number";
        }
        if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return "must be a number";
        }
        if (type == String.class) {
            return "must be a text";
        }
        if (isList(type)) {
            return "must be a list";
        }
        return Map.class.isAssignableFrom(type) || isSection(type) ? "must have keys of its own" : "cannot be this";
    }

    private static boolean isList(Class<?> type) {
        return Collection.class.isAssignableFrom(type) || type.isArray();
    }

    /** What has keys of its own: the sections of the program and of Dropwizard, some of which are interfaces. */
    private boolean isSection(Class<?> type) {
        return type.getSimpleName().matches(".*(Section|Factory|Configuration)")
                || (!VALUES.contains(type)
                        && !type.getName().startsWith("java.")
                        && !keys(type).isEmpty());
    }
}
