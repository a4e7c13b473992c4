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
        if (command instanceof NarrowedByFirst narrowed) {
            Values.of(taken.stream().filter(each -> !each.option()).findFirst().orElseThrow())
                    .forEach(first -> add(name + " " + first, narrowed(taken, narrowed, first)));
        }
        add(name + " '*'", taken);
    }

    private static List<Taken> narrowed(List<Taken> taken, NarrowedByFirst command, String first) {
        return taken.stream()
                .filter(each -> command.takes(first, each.dest()))
                .map(each -> each.withChoices(Values.of(each).stream()
                        .filter(value -> command.takesValue(first, each.dest(), value))
                        .toList()))
                .toList();
    }

    /** What calls take that begin with these words. */
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
                FUNCTION() {
                    local current=${COMP_WORDS[COMP_CWORD]-} previous=${COMP_WORDS[COMP_CWORD-1]-} command=${COMP_WORDS[1]-}
                    local words= files= options= first= place=1 index=2 word
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
                                -?*) if FUNCTION_valued "$command" "$word" && [ "${COMP_WORDS[index+1]-}" != = ]; then index=$((index + 1)); fi ;;
                                *)
                                    if [ "$place" -eq 1 ]; then first=$word; fi
                                    place=$((place + 1))
                                    ;;
                            esac
                            index=$((index + 1))
                        done
                        case "$command $first" in
                OPTIONS        esac
                        if FUNCTION_valued "$command" "$previous" || [ "${COMP_WORDS[COMP_CWORD-1]-}" = = ]; then
                            case "$command $first $previous" in
                VALUES            esac
                        elif [ "${current#-}" != "$current" ]; then
                            words=$options
                        else
                            case "$command $first $place" in
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
                .replace("OPTIONS", options)
                .replace("VALUES", values)
                .replace("PLACES", places)
                .replace("COMMANDS", commands.stream().map(Command::getName).collect(Collectors.joining(" ")))
                .replace("FUNCTION", function)
                .replace("NAMES", String.join(" ", names));
    }
}
