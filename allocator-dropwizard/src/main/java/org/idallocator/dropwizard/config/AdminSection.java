package org.idallocator.dropwizard.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.idallocator.core.id.BadValueException;
import org.idallocator.zk.settings.Shown;

/** {@code admin}: who may change anything on the admin port, and by which names the port may be addressed. */
public final class AdminSection {
    /** What a token may be: a text that a header carries as it is, and that is too long to guess. */
    private static final Pattern TOKEN_PATTERN = Pattern.compile("[A-Za-z0-9._~+/=-]{16,}");

    private static final String TOKEN = "admin.token";
    private static final String TOKEN_FILE = "admin.tokenFile";
    private static final String TOKEN_RULE = "16 characters or more of [A-Za-z0-9._~+/=-]";
    private static final Pattern HOST_PATTERN = Pattern.compile("(?i)[a-z0-9_-]+(\\.[a-z0-9_-]+)*");

    @Key
    private String token = "";

    @Key
    private String tokenFile = "";

    @Key
    private List<String> hosts = List.of();

    /**
     * The token that the configuration itself has; empty where it has none, or names a file.
     *
     * @throws BadValueException when the text is no token, or there is a file as well; the message does not show the
     *     token
     */
    public Optional<String> token() {
        if (!token.isBlank() && !isToken(token)) {
            throw new BadValueException(TOKEN, "must be " + TOKEN_RULE + " (the value is not shown)");
        }
        if (!token.isBlank() && !tokenFile.isBlank()) {
            throw new BadValueException(TOKEN, "must be left out where " + TOKEN_FILE + " names a file that has it");
        }
        return Optional.of(token).filter(text -> !text.isBlank());
    }

    /**
     * The file that has the token; empty where none is configured.
     *
     * @throws BadValueException when the text is no absolute path
     */
    public Optional<Path> tokenFile() {
        if (tokenFile.isBlank()) {
            return Optional.empty();
        }
        Path file = Checks.path(TOKEN_FILE, tokenFile);
        Shown.require(file.isAbsolute(), TOKEN_FILE, "must be an absolute path", tokenFile);
        return Optional.of(file);
    }

    /**
     * The token now, from the configuration or its file; empty where neither is configured.
     *
     * @throws BadValueException when a configured token or file gives no token, because then nobody could change
     *     anything
     */
    Optional<String> currentToken() {
        return token().or(() -> tokenFile().map(AdminSection::tokenIn));
    }

    private static String tokenIn(Path file) {
        try {
            String text = read(file);
            if (!isToken(text)) {
                throw new BadValueException(
                        TOKEN_FILE, "must name a file that has " + TOKEN_RULE + " (what it has is not shown): " + file);
            }
            return text;
        } catch (IOException e) {
            String why = e.getClass().getSimpleName();
            throw new BadValueException(TOKEN_FILE, "must name a file that can be read: " + file + " (" + why + ")", e);
        }
    }

    /**
     * The names, in lower case, by which the admin port may be addressed beside those of this machine.
     *
     * @throws BadValueException naming the first bad value and what is allowed
     */
    public List<String> hosts() {
        return Checks.entries(
                "admin.hosts", hosts, HOST_PATTERN, "a host name such as ids.example.com, without a port");
    }

    /** Whether a text is a token: 16 or more of the characters that a header carries as they are. */
    public static boolean isToken(String text) {
        return TOKEN_PATTERN.matcher(text).matches();
    }

    /**
     * The text in a file, without blanks at its ends; the text may be no token. Throws when the file cannot be read.
     */
    public static String read(Path file) throws IOException {
        return Files.readString(file).strip();
    }
}
