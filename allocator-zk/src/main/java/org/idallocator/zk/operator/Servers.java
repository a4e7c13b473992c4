package org.idallocator.zk.operator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.operator.ServerProbe.Answer;
import org.idallocator.zk.store.StoreException;

/**
 * Looks at each server of the ensemble: those of the connect string, and those that the ensemble's own configuration names, where
 * both call the servers by the same names. All are asked at once.
 */
final class Servers {
    private static final String NAME = "servers";
    private static final String PORT = "2181";

    /** {@code server.1=host:2888:3888:participant;0.0.0.0:2181}, of which the last part is often missing. */
    private static final Pattern CONFIGURED = Pattern.compile(
            "server\\.\\d+=(\\[[^]]+]|[^:;|]+):\\d+:\\d+(?::(participant|observer))?[^;\\n]*(?:;(?:(.+):)?(\\d+))?");

    private static final Set<String> EVERYWHERE = Set.of("0.0.0.0", "[::]", "[0:0:0:0:0:0:0:0]");

    private final Map<String, Answer> answers = new LinkedHashMap<>();
    private final ServerProbe probe;
    private final Set<String> observers = new HashSet<>();
    private int voters;

    private Servers(ServerProbe probe) {
        this.probe = probe;
    }

    /**
     * Looks, and writes one line.
     *
     * @param connect the connect string
     */
    static void look(String connect, ServerProbe probe, Checklist list) {
        Servers servers = new Servers(probe);
        servers.ask(addresses(connect));
        servers.askConfigured();
        servers.write(list);
    }

    private static List<String> addresses(String connect) {
        return Stream.of(connect.replaceFirst("/.*", "").split(",", -1))
                .map(address -> address.matches(".*:\\d+") && !address.endsWith("]") ? address : address + ":" + PORT)
                .distinct()
                .toList();
    }

    private void askConfigured() {
        Optional<String> configuration = answers.values().stream()
                .flatMap(answer -> answer.configuration().stream())
                .findFirst();
        Matcher line = CONFIGURED.matcher(configuration.orElse(""));
        Set<String> clients = new LinkedHashSet<>();
        while (line.find()) {
            boolean observer = "observer".equals(line.group(2));
            voters += observer ? 0 : 1;
            if (line.group(4) != null) {
                clients.add(address(line));
                observers.addAll(observer ? List.of(address(line)) : List.of());
            }
        }
        if (clients.stream().anyMatch(answers::containsKey)) {
            clients.removeAll(answers.keySet());
            ask(clients);
        }
    }

    private static String address(Matcher line) {
        boolean everywhere = line.group(3) == null || EVERYWHERE.contains(line.group(3));
        return (everywhere ? line.group(1) : line.group(3)) + ":" + line.group(4);
    }

    private void ask(Collection<String> addresses) {
        if (addresses.isEmpty()) {
            return;
        }
        ExecutorService threads = Executors.newFixedThreadPool(addresses.size());
        try {
            Map<String, Future<Answer>> asked = new LinkedHashMap<>();
            addresses.forEach(address -> asked.put(address, threads.submit(() -> probe.ask(address))));
            asked.forEach((address, answer) -> answers.put(address, join(answer)));
        } finally {
            threads.shutdownNow();
        }
    }

    private static Answer join(Future<Answer> answer) {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.UNCERTAIN, "interrupted while asking ZooKeeper's servers", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a server cannot be asked", e);
        }
    }

    private void write(Checklist list) {
        long serving = answers.values().stream().filter(Answer::serves).count();
        String counts =
                serving + " of " + answers.size() + (answers.size() == 1 ? " server answers" : " servers answer");
        if (serving == answers.size()) {
            list.ok(NAME, counts + margin());
        } else if (serving > 0) {
            list.warn(NAME, counts + margin() + "; " + silent(), Remedies.startServers());
        } else {
            list.fail(NAME, counts + ": " + silent(), FenceReason.UNREACHABLE, Remedies.startServers());
        }
    }

    /** How many more may fail of those that vote, where all of these are known; else the connect string stands for that. */
    private String margin() {
        List<Answer> voting = answers.entrySet().stream()
                .filter(each -> !observers.contains(each.getKey()))
                .map(Map.Entry::getValue)
                .toList();
        if (voters > voting.size()) {
            return ", of an ensemble of " + voters;
        }
        if (voting.size() == 1) {
            return "; there is no other";
        }
        long more = voting.stream().filter(Answer::serves).count() - (voting.size() / 2 + 1);
        return more > 0 ? "; " + more + " more may fail" : "; none more may fail";
    }

    private String silent() {
        List<String> words = new ArrayList<>();
        answers.forEach((address, answer) ->
                answer.trouble().ifPresent(trouble -> words.add(address + " does not (" + trouble + ")")));
        return words.stream().collect(Collectors.joining(", "));
    }
}
