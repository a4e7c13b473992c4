package org.idallocator.service.cli.completion;

import io.dropwizard.core.cli.Command;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import net.sourceforge.argparse4j.ArgumentParsers;
import net.sourceforge.argparse4j.inf.Argument;
import net.sourceforge.argparse4j.inf.ArgumentAction;
import net.sourceforge.argparse4j.inf.Subparser;

/**
 * Learns what a command takes: has the command configure a parser, and listens. The parsers themselves do not tell. Not
 * thread-safe.
 */
final class Recording {
    private final List<Heard> heard = new ArrayList<>();

    private Recording() {}

    /** What the command takes, in the order in which it says so. */
    static List<Taken> of(Command command) {
        Subparser parser = ArgumentParsers.newFor(command.getName())
                .build()
                .addSubparsers()
                .addParser(command.getName());
        Recording recording = new Recording();
        command.configure(recording.listening(parser));
        return recording.heard.stream().map(Heard::taken).toList();
    }

    private Subparser listening(Subparser parser) {
        return proxy(Subparser.class, (proxy, method, arguments) -> {
            Object answer = call(parser, method, arguments);
            if (answer == parser) {
                return proxy;
            }
            if (method.getName().equals("addArgument") && answer instanceof Argument argument) {
                Heard added = new Heard(argument, List.of((String[]) arguments[0]));
                heard.add(added);
                return added.listening();
            }
            return answer;
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** One argument, and what the command says of it. */
    private static final class Heard {
        private final Argument argument;
        private final List<String> names;
        private List<String> choices = List.of();
        private String nargs = "";
        private boolean consuming = true;

        Heard(Argument argument, List<String> names) {
            this.argument = argument;
            this.names = names;
        }

        Argument listening() {
            return proxy(Argument.class, (proxy, method, arguments) -> {
                Object answer = call(argument, method, arguments);
                if (answer != argument) {
                    return answer;
                }
                hear(method.getName(), arguments[0]);
                return proxy;
            });
        }

        private void hear(String said, Object value) {
            if (said.equals("choices") && value instanceof Collection<?> some) {
                choices = some.stream().map(String::valueOf).toList();
            } else if (said.equals("choices") && value instanceof Object[] some) {
                choices = Arrays.stream(some).map(String::valueOf).toList();
            } else if (said.equals("nargs")) {
                nargs = String.valueOf(value);
            } else if (value instanceof ArgumentAction action) {
                consuming = action.consumeArgument();
            }
        }

        Taken taken() {
            boolean option = names.get(0).startsWith("-");
            boolean optional = Stream.of("?", "*").anyMatch(nargs::equals);
            boolean repeated = Stream.of("+", "*").anyMatch(nargs::equals);
            return new Taken(
                    option ? names : List.of(),
                    argument.getDest(),
                    consuming && !optional,
                    optional,
                    repeated,
                    choices);
        }
    }
}
