package org.idallocator.service.cli.completion;

import io.dropwizard.core.cli.Command;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes a script that completes calls in bash 3.2 and newer, from what the commands take. */
public final class BashScript {
    private static final String HELP = "-h --help";

    private final List<Command> commands;
    private final StringBuilder options = new StringBuilder();
    private final StringBuilder values = new StringBuilder();
    private final StringBuilder valued = new StringBuilder();
    private final StringBuilder narrowing = new StringBuilder();
    private final StringBuilder places = new StringBuilder();

    private BashScript(Collection<Command> commands) {
        this.commands = List.copyOf(commands);
        this.commands.forEach(this::add);
    }

    /**
     * The script.
     *
     * @param commands the program's commands
     * @param names how the program is called, one or more names
     */
    public static String of(Collection<Command> commands, List<String> names) {
        return new BashScript(commands).text(names);
    }

    /** A pattern that comes first is tried first: the calls that are narrowed come before all others of the command. */
    private void add(Command command) {
        String name = command.getName();
        List<Taken> taken = Recording.of(command);
        taken.stream().filter(each -> each.option() && each.valued()).forEach(each -> {
            String patterns =
                    each.flags().stream().map(flag -> name + " " + flag).collect(Collectors.joining("' | '"));
            line(valued, patterns, "return 0");
        });
        if (command instanceof NarrowedByValue narrowed) {
            Taken decides = taken.stream()
                    .filter(each -> each.dest().equals(narrowed.narrowing()))
                    .findFirst()
                    .orElseThrow();
            List<String> words = decides.option() ? decides.flags() : List.of("1");
            words.forEach(word -> line(narrowing, name + " " + word, "return 0"));
            Values.of(decides).forEach(value -> add(name + " " + value, narrowed(taken, narrowed, value)));
        }
        add(name + " '*'", taken);
    }

    private static List<Taken> narrowed(List<Taken> taken, NarrowedByValue command, String value) {
        return taken.stream()
                .filter(each -> command.takes(value, each.dest()))
                .map(each -> each.withChoices(Values.of(each).stream()
                        .filter(other -> command.takesValue(value, each.dest(), other))
                        .toList()))
                .toList();
    }

    /** What calls take: {@code call} is the command, and a pattern for what narrows the call. */
    private void add(String call, List<Taken> taken) {
        List<String> flags =
                taken.stream().flatMap(each -> each.flags().stream()).toList();
        line(
                options,
                call,
                "options='" + HELP
                        + Stream.concat(Stream.of(""), flags.stream()).collect(Collectors.joining(" ")) + "'");
        taken.stream().filter(Taken::option).forEach(each -> {
            String patterns =
                    each.flags().stream().map(flag -> call + " " + flag).collect(Collectors.joining("' | '"));
            line(values, patterns, offer(List.of(each)));
        });
        addPlaces(call, taken.stream().filter(each -> !each.option()).toList());
    }

    /** At a place that may be left out, what comes next is offered, too. */
    private void addPlaces(String call, List<Taken> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            List<Taken> here = new ArrayList<>();
            for (int j = i;
                    j < arguments.size() && (j == i || arguments.get(j - 1).optional());
                    j++) {
                here.add(arguments.get(j));
            }
            line(places, call + " " + (arguments.get(i).repeated() ? "'*'" : i + 1), offer(here));
        }
    }

    private static String offer(List<Taken> here) {
        String words = here.stream().flatMap(each -> Values.of(each).stream()).collect(Collectors.joining(" "));
        return "words='" + words + "'" + (here.stream().anyMatch(Values::file) ? " files=1" : "");
    }

    private static void line(StringBuilder lines, String pattern, String does) {
        lines.append("        '").append(pattern).append("') ").append(does).append(" ;;\n");
    }

    private String text(List<String> names) {
        String function = "_" + names.get(0).replaceAll("\\W", "_");
        return """
                # Completes calls of NAMES in bash. Written by the command: completion bash
                FUNCTION_valued() {
                    case "$1 $2" in
                VALUED    esac
                    return 1
                }
                FUNCTION_narrowing() {
                    case "$1 $2" in
                NARROWING    esac
                    return 1
                }
                FUNCTION() {
                    local current=${COMP_WORDS[COMP_CWORD]-} previous=${COMP_WORDS[COMP_CWORD-1]-} command=${COMP_WORDS[1]-}
                    local words= files= options= narrowed= place=1 index=2 word
                    COMPREPLY=()
                    if [ "$COMP_CWORD" -le 1 ]; then
                        words='COMMANDS -h --help -v --version'
                    else
                        if [ "$current" = = ]; then
                            current=
                        elif [ "$previous" = = ]; then
                            previous=${COMP_WORDS[COMP_CWORD-2]}
                        fi
                        while [ "$index" -lt "$COMP_CWORD" ]; do
                            word=${COMP_WORDS[index]}
                            case $word in
                                =) index=$((index + 1)) ;;
                                -?*)
                                    if FUNCTION_narrowing "$command" "$word"; then
                                        narrowed=${COMP_WORDS[index+1]-}
                                        if [ "$narrowed" = = ]; then narrowed=${COMP_WORDS[index+2]-}; fi
                                    fi
                                    if FUNCTION_valued "$command" "$word" && [ "${COMP_WORDS[index+1]-}" != = ]; then index=$((index + 1)); fi
                                    ;;
                                *)
                                    if FUNCTION_narrowing "$command" "$place"; then narrowed=$word; fi
                                    place=$((place + 1))
                                    ;;
                            esac
                            index=$((index + 1))
                        done
                        case "$command $narrowed" in
                OPTIONS        esac
                        if FUNCTION_valued "$command" "$previous" || [ "${COMP_WORDS[COMP_CWORD-1]-}" = = ]; then
                            case "$command $narrowed $previous" in
                VALUES            esac
                        elif [ "${current#-}" != "$current" ]; then
                            words=$options
                        else
                            case "$command $narrowed $place" in
                PLACES            esac
                        fi
                    fi
                    while IFS= read -r word; do
                        COMPREPLY[${#COMPREPLY[@]}]=$word
                    done < <(
                        compgen -W "$words" -- "$current"
                        if [ -n "$files" ]; then compgen -f -- "$current"; fi
                    )
                    if [ -n "$files" ]; then compopt -o filenames 2>/dev/null; fi
                    return 0
                }
                complete -F FUNCTION NAMES
                """.replace("VALUED", valued)
                .replace("NARROWING", narrowing)
                .replace("OPTIONS", options)
                .replace("VALUES", values)
                .replace("PLACES", places)
                .replace("COMMANDS", commands.stream().map(Command::getName).collect(Collectors.joining(" ")))
                .replace("FUNCTION", function)
                .replace("NAMES", String.join(" ", names));
    }
}
