package org.idallocator.core.scheme;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.idallocator.core.id.BadValueException;

/** The list of all schemes. */
public final class Schemes {
    private static final Map<String, Section> ALL = new LinkedHashMap<>();

    static {
        ALL.put(SnoScheme.NAME, new Section(SnoScheme.KEYS, SnoScheme::configured));
        ALL.put(MuidScheme.NAME, new Section(MuidScheme.KEYS, withoutOwn -> new MuidScheme()));
        ALL.put(EightByteScheme.NAME, new Section(EightByteScheme.KEYS, EightByteScheme::configured));
        ALL.put(Uid60Scheme.NAME, new Section(Uid60Scheme.KEYS, Uid60Scheme::configured));
        ALL.put(GidScheme.NAME, new Section(GidScheme.KEYS, GidScheme::configured));
    }

    /**
     * A scheme's section of the configuration.
     *
     * @param keys those that it may have
     * @param scheme makes the scheme of the options that a configuration has
     */
    private record Section(List<String> keys, Function<SchemeOptions, Scheme<?>> scheme) {
        Scheme<?> read(SchemeOptions options) {
            options.only(keys);
            return scheme.apply(options);
        }
    }

    private Schemes() {}

    /** Every scheme's name. */
    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /** The keys of every scheme's section, by the scheme's name. */
    static Map<String, List<String>> keys() {
        return ALL.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, section -> section.getValue().keys()));
    }

    /**
     * Every scheme with its defaults. A program that serves all of them holds a slot of each, and eightbyte has 64: see
     * {@link #of}.
     */
    public static List<Scheme<?>> all() {
        return withDefaults(ALL.keySet());
    }

    /**
     * The schemes of these names, each with its defaults, in the order of the list of all; a name may come again.
     *
     * <pre>{@code
     * List<Scheme<?>> drawn = Schemes.of("sno");        // those that the program draws, and no others
     * }</pre>
     *
     * @throws UnknownSchemeException for a name that is not in the list of all
     */
    public static List<Scheme<?>> of(String... names) {
        return withDefaults(Set.copyOf(Arrays.asList(names)));
    }

    private static List<Scheme<?>> withDefaults(Set<String> names) {
        return configured(names.stream().collect(Collectors.toMap(name -> name, name -> Map.of())));
    }

    /**
     * The schemes that a configuration names, in the order of this list.
     *
     * @param options each scheme's options by its name
     * @throws UnknownSchemeException for a name that is not in this list
     * @throws BadValueException for a bad option, naming the value and what is allowed
     */
    public static List<Scheme<?>> configured(Map<String, ? extends Map<String, Object>> options) {
        for (String name : options.keySet()) {
            if (!ALL.containsKey(name)) {
                throw UnknownSchemeException.named(name, names());
            }
        }
        List<Scheme<?>> schemes = new ArrayList<>();
        ALL.forEach((name, section) -> {
            if (options.containsKey(name)) {
                schemes.add(section.read(new SchemeOptions(name, options.get(name))));
            }
        });
        return Collections.unmodifiableList(schemes);
    }

    /**
     * The scheme of a name among these schemes.
     *
     * @throws UnknownSchemeException when no scheme has the name
     */
    public static Scheme<?> named(String name, List<Scheme<?>> schemes) {
        return schemes.stream()
                .filter(scheme -> scheme.name().equals(name))
                .findFirst()
                .orElseThrow(() -> UnknownSchemeException.named(name, names(schemes)));
    }

    /** The schemes among these whose generators lease slots. */
    public static List<Scheme<?>> leased(List<Scheme<?>> schemes) {
        return schemes.stream().filter(scheme -> scheme.pool().isPresent()).toList();
    }

    /**
     * The scheme of a name among these schemes, which must lease slots.
     *
     * @throws UnknownSchemeException when no scheme has the name, or the scheme of the name needs no slots
     */
    public static Scheme<?> leased(String name, List<Scheme<?>> schemes) {
        Scheme<?> scheme = named(name, schemes);
        if (scheme.pool().isEmpty()) {
            throw UnknownSchemeException.withoutSlots(name, names(leased(schemes)));
        }
        return scheme;
    }

    private static List<String> names(List<Scheme<?>> schemes) {
        return schemes.stream().map(Scheme::name).toList();
    }
}
