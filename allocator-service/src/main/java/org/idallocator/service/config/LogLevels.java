package org.idallocator.service.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import org.idallocator.zk.settings.Shown;

/** Finds levels that do not exist: where one is read, Dropwizard takes another for that without a word. */
final class LogLevels {
    /** {@code false} is what YAML makes of {@code off}. */
    private static final Set<String> KNOWN = Set.of("off", "false", "error", "warn", "info", "debug", "trace", "all");

    private LogLevels() {}

    /** Notes the bad ones of a whole configuration. */
    static void check(JsonNode tree, Findings found) {
        check(tree.path("logging"), "logging", found);
        check(tree.path("server").path("requestLog"), "server.requestLog", found);
    }

    private static void check(JsonNode node, String path, Findings found) {
        node.properties().forEach(each -> {
            String key = path + "." + each.getKey();
            boolean level =
                    each.getKey().equals("level") || each.getKey().equals("threshold") || path.endsWith(".loggers");
            if (level && each.getValue().isValueNode() && !each.getValue().isNull()) {
                checkLevel(each.getValue().asText(), key, found);
            } else {
                check(each.getValue(), key, found);
            }
        });
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            check(node.get(i), path + "[" + i + "]", found);
        }
    }

    private static void checkLevel(String level, String key, Findings found) {
        if (KNOWN.stream().noneMatch(level::equalsIgnoreCase)) {
            found.add(key, key + " must be one of OFF, ERROR, WARN, INFO, DEBUG, TRACE, ALL: " + Shown.of(level));
        }
    }
}
