package org.idallocator.library;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What docs/library.md tells a stranger to copy: its blocks of code, by the section that they are in.
 *
 * @param text the whole file
 */
record Guide(String text) {
    /** The address that its blocks give to ZooKeeper. */
    private static final String ADDRESS = "zk1:2181,zk2:2181,zk3:2181";

    private static final Pattern IMPORT = Pattern.compile("(?m)^import .*;\\n");
    private static final Pattern CLASS = Pattern.compile("(?m)^public class ");

    static Guide at(Path path) throws IOException {
        return new Guide(Files.readString(path));
    }

    /** The blocks of a language in a section, in their order, with the address of a ZooKeeper that runs; never none. */
    List<String> blocks(String section, String language, String address) {
        List<String> found = Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$")
                .matcher(section(section))
                .results()
                .map(block -> block.group(1).replace(ADDRESS, address))
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("the guide has no block of " + language + " in its section " + section);
        }
        return found;
    }

    private String section(String name) {
        return Pattern.compile("(?ms)^## " + Pattern.quote(name) + "$(.*?)(?=^## |\\z)")
                .matcher(text)
                .results()
                .map(section -> section.group(1))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the guide has no section " + name));
    }

    /**
     * A source file of package {@code com.example} with this code and nothing added to it but the program that runs it.
     */
    static String source(String className, String code) {
        if (CLASS.matcher(code).find()) {
            return "package com.example;\n" + code;
        }
        String imports = IMPORT.matcher(code).results().map(MatchResult::group).collect(Collectors.joining());
        return "package com.example;\n" + imports + "final class " + className
                + " {\n    public static void main(String[] arguments) throws Exception {\n"
                + IMPORT.matcher(code).replaceAll("") + "    }\n}\n";
    }
}
