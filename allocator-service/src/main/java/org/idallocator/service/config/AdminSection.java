package org.idallocator.service.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.idallocator.zk.settings.Mistakes;
import org.idallocator.zk.settings.Shown;
import org.jspecify.annotations.Nullable;

/** {@code admin}: who may change anything on the admin port, and by which names the port may be addressed. */
public final class AdminSection {
    private static final String TOKEN = "admin.token";
    private static final String FILE = "admin.tokenFile";

    /** What a header can carry, and nobody guesses. */
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._~+/=-]{16,}");

    private static final Pattern HOST = Pattern.compile("[a-z0-9_-]+(\\.[a-z0-9_-]+)*");

    @Key
    private String token = "";

    @Key
    private String tokenFile = "";

    @Key
    private List<@Nullable String> hosts = List.of();

    @Key
    private boolean profiler = false;

    @Key
    private boolean onApplicationPort = false;

    /** The token itself; empty where none is configured, or only a file that has it. */
    public Optional<String> token() {
        return Optional.of(token).filter(text -> !text.isBlank());
    }

    /**
     * The file that has the token; empty where none is configured.
     *
     * @throws IllegalArgumentException when the text is no absolute path
     */
    public Optional<Path> tokenFile() {
        if (tokenFile.isBlank()) {
            return Optional.empty();
        }
        try {
            Path path = Path.of(tokenFile);
            if (path.isAbsolute()) {
                return Optional.of(path);
            }
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(FILE + " must name a file: " + Shown.of(tokenFile), e);
        }
        throw new IllegalArgumentException(FILE + " must be an absolute path: " + Shown.of(tokenFile));
    }

    /** Whether a text is a token: 16 characters or more, of those that a header carries as they are. */
    public static boolean isToken(String text) {
        return ALLOWED.matcher(text).matches();
    }

    /**
     * The names, in lower case, by which the admin port may be addressed beside those of this machine.
     *
     * @throws IllegalArgumentException naming each bad value and what is allowed
     */
    public List<String> hosts() {
        Mistakes mistakes = new Mistakes();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            String text = hosts.get(i);
            if (text != null) {
                String name = text.toLowerCase(Locale.ROOT);
                mistakes.require(
                        HOST.matcher(name).matches(),
                        "admin.hosts[" + i + "]",
                        () -> "must be a host name such as ids.example.com, without a port: " + Shown.of(text));
                names.add(name);
            }
        }
        mistakes.throwIfAny();
        return names;
    }

    /** Whether {@code /pprof} profiles the process for who shows the token. */
    public boolean profiler() {
        return profiler;
    }

    /** Whether a server with one port for everything ({@code type: simple}) is meant to show the admin pages to whoever reaches it. */
    public boolean onApplicationPort() {
        return onApplicationPort;
    }

    /** What the file has now, which may be no token; throws where it cannot be read. */
    public static String read(Path file) throws IOException {
        return Files.readString(file).strip();
    }

    /** Nobody could change anything by a file that is missing, or has no token. */
    private Optional<Path> usableTokenFile() {
        Optional<Path> file = tokenFile();
        file.ifPresent(named -> {
            try {
                if (!isToken(read(named))) {
                    throw new IllegalArgumentException(FILE
                            + " must name a file that has 16 characters or more of [A-Za-z0-9._~+/=-] (what it has is not"
                            + " shown): " + named);
                }
            } catch (IOException e) {
                throw new IllegalArgumentException(
                        FILE + " must name a file that can be read: " + named + " ("
                                + e.getClass().getSimpleName() + ")",
                        e);
            }
        });
        return file;
    }

    /** Notes what is wrong with the values. */
    void check(Mistakes mistakes) {
        mistakes.attempt(this::hosts);
        if (token.isBlank()) {
            mistakes.attempt(FILE, this::usableTokenFile);
        }
        token().ifPresent(text -> {
            mistakes.require(
                    isToken(text),
                    TOKEN,
                    () -> "must be 16 characters or more of [A-Za-z0-9._~+/=-] (the value is not shown)");
            mistakes.require(
                    tokenFile.isBlank(), TOKEN, () -> "must be left out where " + FILE + " names a file that has it");
        });
    }
}
