package org.idallocator.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What follows the name of a command on the command line.
 *
 * @param names beginnings of what is to be measured; everything where there are none
 * @param options values by the names of their options; empty text for those without a value
 */
public record Arguments(List<String> names, Map<String, String> options) {
    private static final Pattern OPTION = Pattern.compile("--(\\w+)(=.*)?");

    /** Reads the words after a command. Throws {@link UsageException} for one that the command does not take. */
    static Arguments of(Command command, List<String> words) {
        List<String> names = new ArrayList<>();
        Map<String, String> options = new HashMap<>();
        for (String word : words) {
            if (word.startsWith("-")) {
                Matcher option = OPTION.matcher(word);
                String value = option.matches() ? option.group(2) : null;
                Set<String> known = value == null ? Set.of("quick", "markdown") : command.options();
                if (!option.matches() || !known.contains(option.group(1))) {
                    throw new UsageException(command.name() + " has no option " + word);
                }
                options.put(option.group(1), value == null ? "" : value.substring(1));
            } else if (command.takesNames()) {
                names.add(word);
            } else {
                throw new UsageException(command.name() + " takes no names: " + word);
            }
        }
        return new Arguments(List.copyOf(names), Map.copyOf(options));
    }

    /** Whether to measure for moments, to see that everything runs. */
    public boolean quick() {
        return options.containsKey("quick");
    }

    /** Whether to print tables for a document. */
    boolean markdown() {
        return options.containsKey("markdown");
    }

    /**
     * Those of all whose text begins with one of the names. Throws {@link UsageException} for a name with which none
     * begins.
     */
    public <T> List<T> chosen(List<T> all, Function<T, String> text) {
        for (String name : names) {
            if (all.stream().noneMatch(each -> text.apply(each).startsWith(name))) {
                throw new UsageException("nothing begins with " + name + "; there are "
                        + all.stream().map(text).distinct().collect(Collectors.joining(", ")));
            }
        }
        return all.stream()
                .filter(each -> names.isEmpty()
                        || names.stream().anyMatch(name -> text.apply(each).startsWith(name)))
                .toList();
    }

    /** The value of an option, or {@code otherwise}. */
    public String text(String option, String otherwise) {
        return options.getOrDefault(option, otherwise);
    }

    /** The value of an option, a number from 1 to {@code most}, or {@code otherwise}. */
    public int number(String option, int most, int otherwise) {
        return options.containsKey(option) ? number(option, most, text(option, "")) : otherwise;
    }

    /** The values of an option, numbers from 1 to {@code most} with commas between them, or {@code otherwise}. */
    public List<Integer> numbers(String option, int most, List<Integer> otherwise) {
        return options.containsKey(option)
                ? Stream.of(text(option, "").split(",", -1))
                        .map(each -> number(option, most, each))
                        .toList()
                : otherwise;
    }

    private static int number(String option, int most, String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // told below, like a number that is too small or too large
        }
        throw new UsageException("--" + option + " must be a number from 1 to " + most + ": " + text);
    }
}
