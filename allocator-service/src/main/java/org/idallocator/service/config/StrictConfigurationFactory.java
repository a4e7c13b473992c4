package org.idallocator.service.config;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.configuration.ConfigurationParsingException;
import io.dropwizard.configuration.ConfigurationSourceProvider;
import io.dropwizard.configuration.SubstitutingSourceProvider;
import io.dropwizard.configuration.YamlConfigurationFactory;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.validation.ValidationMethod;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.idallocator.zk.settings.InvalidSettingsException;
import org.idallocator.zk.settings.Mistake;

/**
 * Reads a YAML file as Dropwizard does, and tells all mistakes at once, each in the words of the file and with its line. An
 * {@link AllocatorSection} that cannot be used is a mistake too, wherever the program has that. Reads one file. Not thread-safe.
 *
 * @param <T> the program's configuration
 */
public final class StrictConfigurationFactory<T> extends YamlConfigurationFactory<T> {
    /** No system property begins so: what system properties say is put in here, before anything is read. */
    private static final String NO_PREFIX = "\0";

    /** Where Dropwizard's programs have their server. */
    private static final String SERVER = "server";

    private static final String EMPTY = "the file is empty; leave it out to run on the defaults, or write what differs";

    private final Class<T> type;
    private final Optional<Validator> validator;
    private final Mistaken mistaken;
    private final Variables variables;
    private final Overrides overrides;
    private final Findings found = new Findings();
    private final Map<String, AllocatorSection> sections;

    private StrictConfigurationFactory(
            Class<T> type, Optional<Validator> validator, StrictMapper strict, String prefix, Variables variables) {
        super(type, null, strict.mapper(), NO_PREFIX);
        this.type = type;
        this.validator = validator;
        this.sections = strict.sections();
        this.mistaken = new Mistaken(strict.mapper());
        this.variables = variables;
        this.overrides = Overrides.ofProcess(prefix);
    }

    /**
     * Makes a program read its file so, with variables of the environment, {@code ${NAME}} or {@code ${NAME:-default}}, for
     * values; {@code $${NAME}} is no variable. A program that has a {@link ConfigurationSourceProvider} of its own sets that
     * first.
     *
     * @throws IllegalStateException when that provider replaces variables already: what is missing could not be told any more
     */
    public static void installIn(Bootstrap<?> bootstrap) {
        if (bootstrap.getConfigurationSourceProvider() instanceof SubstitutingSourceProvider) {
            throw new IllegalStateException("variables are replaced twice: leave out the program's own"
                    + " SubstitutingSourceProvider, and give the bootstrap what that reads from");
        }
        install(bootstrap, new Variables(System::getenv));
    }

    /** The same with other variables. */
    static <C extends Configuration> void install(Bootstrap<C> bootstrap, Variables variables) {
        bootstrap.setConfigurationFactoryFactory((type, validator, mapper, prefix) -> new StrictConfigurationFactory<>(
                type, Optional.ofNullable(validator), StrictMapper.like(mapper), prefix, variables));
    }

    @Override
    public T build(ConfigurationSourceProvider provider, String path) throws IOException, ConfigurationException {
        byte[] text;
        try (InputStream input = provider.open(path)) {
            text = input.readAllBytes();
        }
        YamlFile file = YamlFile.of(path, new String(text, StandardCharsets.UTF_8), variables, found)
                .orElseThrow(() -> new BadConfigurationException(path, List.of(EMPTY)));
        Optional<T> built = Optional.empty();
        try {
            T read = build(file.tree(), path);
            validator.ifPresent(rules -> validate(rules, read));
            if (read instanceof Configuration program && !found.isMoot(SERVER)) {
                compare(program.getServerFactory());
            }
            built = Optional.of(read);
        } catch (ConfigurationParsingException e) {
            if (found.isEmpty()) {
                throw e;
            }
        }
        if (!found.isEmpty()) {
            throw new BadConfigurationException(path, found.sentences(file, overrides));
        }
        return built.orElseThrow();
    }

    /** What the rules of the program's and Dropwizard's classes say of values that were read. */
    private void validate(Validator rules, T read) {
        List<ConstraintViolation<T>> broken = rules.validate(read).stream()
                .filter(each -> !found.isMoot(key(each)))
                .sorted(Comparator.comparing(StrictConfigurationFactory::sentence))
                .toList();
        broken.forEach(each -> found.add(key(each), sentence(each)));
    }

    /** What of the allocator's sections the program's server does not allow. */
    private void compare(ServerFactory server) {
        sections.forEach((key, section) -> {
            try {
                section.limits().limits(server);
            } catch (InvalidSettingsException e) {
                noteRefused(key, e.details());
            }
        });
    }

    /** A rule is about one key, or about the keys of a section together; then Dropwizard names a method of the section. */
    private static String key(ConstraintViolation<?> broken) {
        String path = broken.getPropertyPath().toString();
        return isAboutSection(broken) ? path.substring(0, Math.max(0, path.lastIndexOf('.'))) : path;
    }

    private static boolean isAboutSection(ConstraintViolation<?> broken) {
        return broken.getConstraintDescriptor().getAnnotation() instanceof ValidationMethod;
    }

    private static String sentence(ConstraintViolation<?> broken) {
        String key = key(broken);
        if (isAboutSection(broken)) {
            return (key.isEmpty() ? "the file" : key) + ": " + broken.getMessage();
        }
        Object value = broken.getInvalidValue();
        return key + " " + broken.getMessage() + (Mistaken.isSingle(value) ? Mistaken.shown(key, value) : "");
    }

    /** Reads the tree. What is wrong is noted and taken out, and the rest is read again, until nothing is wrong. */
    @Override
    protected T build(JsonNode node, String path) throws IOException, ConfigurationException {
        overrides.values().forEach((name, value) -> override(node, name, value));
        Variables.missing(node, "", found);
        if (Configuration.class.isAssignableFrom(type)) {
            LogLevels.check(node, found);
        }
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

    private void override(JsonNode tree, String name, String value) {
        try {
            Overrides.makeRoom(tree, name);
            addOverride(tree, name, value);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            String key = Overrides.key(name);
            found.add(key, key + " cannot be set: the file has nothing that this could be a part of");
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
        if (wrong instanceof RefusedSectionException refused) {
            noteRefused(path, refused.mistakes());
        } else {
            boolean badType = wrong instanceof InvalidTypeIdException && node.hasNonNull("type");
            String sentence = mistaken.about(wrong, path.isEmpty() ? "the file" : path, node);
            found.add(badType ? path + ".type" : path, sentence);
        }
        return !steps.isEmpty() && remove(parent, steps.get(steps.size() - 1));
    }

    /** Where a value was refused before, a default stands in the section, and what is said of that is moot. */
    private void noteRefused(String section, List<Mistake> mistakes) {
        List<Mistake> sound = mistakes.stream()
                .map(each -> each.in(section))
                .filter(each -> !found.isMoot(each.key()))
                .filter(each -> each.comparedWith().stream().noneMatch(found::isMoot))
                .toList();
        sound.forEach(each -> found.add(each.key(), each.sentence()));
    }

    private static JsonNode child(JsonNode parent, JsonMappingException.Reference step) {
        return step.getFieldName() == null ? parent.path(step.getIndex()) : parent.path(step.getFieldName());
    }

    /** Leaves null in a list, so that the others keep their places. False when that is there already. */
    private static boolean remove(JsonNode parent, JsonMappingException.Reference step) {
        if (parent instanceof ObjectNode object) {
            return object.remove(step.getFieldName()) != null;
        }
        if (parent instanceof ArrayNode array && array.hasNonNull(step.getIndex())) {
            array.setNull(step.getIndex());
            return true;
        }
        return false;
    }

    private static String path(List<JsonMappingException.Reference> steps) {
        String path = steps.stream()
                .map(each -> each.getFieldName() == null ? "[" + each.getIndex() + "]" : "." + each.getFieldName())
                .collect(Collectors.joining());
        return path.startsWith(".") ? path.substring(1) : path;
    }
}
