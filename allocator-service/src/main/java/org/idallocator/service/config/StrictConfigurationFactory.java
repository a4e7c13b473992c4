package org.idallocator.service.config;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.configuration.ConfigurationFactoryFactory;
import io.dropwizard.configuration.ConfigurationParsingException;
import io.dropwizard.configuration.ConfigurationSourceProvider;
import io.dropwizard.configuration.ConfigurationValidationException;
import io.dropwizard.configuration.YamlConfigurationFactory;
import jakarta.validation.Validator;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.idallocator.zk.settings.Mistakes;

/**
 * Reads a YAML file as Dropwizard does, and tells all mistakes at once, each in the words of the file and with its line. A key
 * is what a class offers as one on purpose; no setter is taken for a key. Reads one file. Not thread-safe.
 *
 * <p>The text comes from a substitutor that leaves a variable that is not set, {@code ${NOPE}}, and keeps the mark of what is
 * no variable, {@code $${NOPE}}. The first is a mistake here, and the second becomes {@code ${NOPE}}.
 *
 * @param <T> the program's configuration
 */
public final class StrictConfigurationFactory<T> extends YamlConfigurationFactory<T> {
    private static final Pattern VARIABLE = Pattern.compile("(?<!\\$)\\$\\{([^${}]+)}");

    private final Mistaken mistaken;
    private final Consumer<T> check;

    /** What is wrong, by the path of its key, in the order in which it was found. */
    private final Map<String, String> found = new LinkedHashMap<>();

    private StrictConfigurationFactory(
            Class<T> type, Optional<Validator> validator, ObjectMapper strict, String prefix, Consumer<T> check) {
        super(type, validator.orElse(null), strict, prefix);
        this.mistaken = new Mistaken(strict);
        this.check = check;
    }

    /**
     * What makes readers for {@code Bootstrap.setConfigurationFactoryFactory}.
     *
     * @param check throws {@link IllegalArgumentException} for a configuration that was read and cannot be used
     */
    public static <T> ConfigurationFactoryFactory<T> checking(Consumer<T> check) {
        return (type, validator, mapper, prefix) ->
                new StrictConfigurationFactory<>(type, Optional.ofNullable(validator), strict(mapper), prefix, check);
    }

    private static ObjectMapper strict(ObjectMapper mapper) {
        ObjectMapper strict = mapper.copy()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT);
        for (PropertyAccessor each : List.of(
                PropertyAccessor.FIELD, PropertyAccessor.GETTER, PropertyAccessor.IS_GETTER, PropertyAccessor.SETTER)) {
            strict.setVisibility(each, Visibility.NONE);
        }
        return strict;
    }

    @Override
    public T build(ConfigurationSourceProvider provider, String path) throws IOException, ConfigurationException {
        byte[] text;
        try (InputStream input = provider.open(path)) {
            text = input.readAllBytes();
        }
        YamlLines lines = YamlLines.of(path, new String(text, StandardCharsets.UTF_8));
        Optional<T> built = Optional.empty();
        try {
            built = Optional.of(super.build(same -> new ByteArrayInputStream(text), path));
        } catch (ConfigurationParsingException e) {
            noteUnread(e);
        } catch (ConfigurationValidationException e) {
            noteInvalid(e);
        }
        List<String> mistakes = new ArrayList<>(lines.twice());
        found.forEach((key, mistake) -> mistakes.add(lines.before(key) + mistake));
        if (mistakes.isEmpty()) {
            built.ifPresent(configuration -> check(configuration, mistakes));
        }
        if (!mistakes.isEmpty()) {
            throw new BadConfigurationException(path, mistakes);
        }
        return built.orElseThrow();
    }

    private void check(T configuration, List<String> mistakes) {
        try {
            check.accept(configuration);
        } catch (IllegalArgumentException e) {
            mistakes.addAll(Mistakes.of(e));
        }
    }

    /** The text could not be read at all, or is empty. Mistakes in values are noted already. */
    private void noteUnread(ConfigurationParsingException e) {
        if (found.isEmpty()) {
            found.put(
                    "",
                    e.getCause() instanceof JsonProcessingException syntax
                            ? "no YAML: " + syntax.getOriginalMessage()
                            : "the file is empty; leave it out to run on the defaults, or write what differs");
        }
    }

    /** Each begins with the path of its key. Where a value was refused before, what is said of the default in its place is moot. */
    private void noteInvalid(ConfigurationValidationException e) {
        if (found.isEmpty()) {
            e.getErrors().forEach(error -> found.put(error.split(" ", 2)[0], error));
        }
    }

    /** Reads the tree. What is wrong is noted and taken out, and the rest is read again, until nothing is wrong. */
    @Override
    protected T build(JsonNode node, String path) throws IOException, ConfigurationException {
        resolve(node, "");
        while (true) {
            try {
                return super.build(node, path);
            } catch (ConfigurationParsingException e) {
                if (!(e.getCause() instanceof JsonMappingException wrong) || !takenOut(wrong, node)) {
                    throw e;
                }
            }
        }
    }

    /** Notes what is wrong and takes it out of the tree. False when there is nothing to take out. */
    private boolean takenOut(JsonMappingException wrong, JsonNode tree) {
        List<JsonMappingException.Reference> steps = wrong.getPath();
        String path = path(steps);
        JsonNode parent = tree;
        for (JsonMappingException.Reference step : steps.subList(0, Math.max(0, steps.size() - 1))) {
            parent = child(parent, step);
        }
        JsonNode node = steps.isEmpty() ? tree : child(parent, steps.get(steps.size() - 1));
        boolean first = found.putIfAbsent(path, mistaken.about(wrong, path, node)) == null;
        return first && !steps.isEmpty() && remove(parent, steps.get(steps.size() - 1));
    }

    private static JsonNode child(JsonNode parent, JsonMappingException.Reference step) {
        return step.getFieldName() == null ? parent.path(step.getIndex()) : parent.path(step.getFieldName());
    }

    /** Leaves null in a list, so that the others keep their places. */
    private static boolean remove(JsonNode parent, JsonMappingException.Reference step) {
        if (parent instanceof ObjectNode object) {
            return object.remove(step.getFieldName()) != null;
        }
        if (parent instanceof ArrayNode array && array.has(step.getIndex())) {
            array.setNull(step.getIndex());
            return true;
        }
        return false;
    }

    private static String path(List<JsonMappingException.Reference> steps) {
        String path = steps.stream()
                .map(each -> each.getFieldName() == null ? "[" + each.getIndex() + "]" : "." + each.getFieldName())
                .collect(Collectors.joining());
        return path.isEmpty() ? "the file" : path.substring(path.charAt(0) == '.' ? 1 : 0);
    }

    /** Notes variables that are not set, and takes their values for none. */
    private void resolve(JsonNode node, String path) {
        if (node instanceof ObjectNode object) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                String below = path.isEmpty() ? name : path + "." + name;
                JsonNode value = object.get(name);
                if (value.isTextual()) {
                    resolved(value.textValue(), below)
                            .ifPresentOrElse(text -> object.put(name, text), () -> object.putNull(name));
                } else {
                    resolve(value, below);
                }
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                String below = path + "[" + i + "]";
                if (array.get(i).isTextual()) {
                    array.set(
                            i,
                            array.textNode(
                                    resolved(array.get(i).textValue(), below).orElse("")));
                } else {
                    resolve(array.get(i), below);
                }
            }
        }
    }

    /** The text without marks; empty where a variable in the text is not set. */
    private Optional<String> resolved(String text, String path) {
        Matcher variable = VARIABLE.matcher(text);
        if (!variable.find()) {
            return Optional.of(text.replace("$${", "${"));
        }
        String name = variable.group(1);
        found.put(
                path,
                path + " needs the environment variable " + name
                        + ", which is not set; set it, or give a default, as in ${" + name + ":-default}");
        return Optional.empty();
    }
}
