package org.idallocator.dropwizard.admin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.idallocator.dropwizard.config.AdminSection;
import org.idallocator.dropwizard.logging.FailureLog;
import org.idallocator.dropwizard.logging.FileTrouble;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The secret that a call must show to change anything on the admin port, as {@code Authorization: Bearer TOKEN}. The
 * token stands in the configuration or in a file. The file is read at each call, so that a new token counts at once.
 * The token is never logged. Thread-safe.
 */
final class AdminToken {
    private static final String BEARER = "bearer ";

    /**
     * Anybody who reaches the port can cause a reading of the file, so only the first of repeated failures is a
     * warning.
     */
    private static final FailureLog FAILURES = new FailureLog(LoggerFactory.getLogger(AdminToken.class));

    private final String description;
    private final Supplier<Optional<String>> current;

    private AdminToken(String description, Supplier<Optional<String>> current) {
        this.description = description;
        this.current = current;
    }

    /**
     * The token that a configuration names. Where the configuration names none, a token is generated once and kept in
     * {@code generatedFile}. Where there is no such file either, no call can show the right token.
     *
     * @throws TokenFileException when a token has to be generated and cannot be written
     */
    static AdminToken of(AdminSection section, Optional<Path> generatedFile) {
        if (section.token().isPresent()) {
            return new AdminToken("allocator.admin.token of its configuration", section::token);
        } else if (section.tokenFile().isEmpty()) {
            generatedFile.ifPresent(AdminToken::make);
        }
        return section.tokenFile()
                .or(() -> generatedFile)
                .map(file -> new AdminToken("the file " + file, () -> read(file)))
                .orElseGet(() -> new AdminToken("none: allocator.admin.token is not configured", Optional::empty));
    }

    /**
     * Makes the file, unless it has a token. Only its owner can read the file, as with every temporary file of Java's.
     * The file appears with its whole content, whenever the process ends.
     */
    private static void make(Path file) {
        try {
            if (!Files.exists(file) || !AdminSection.isToken(AdminSection.read(file))) {
                Path ahead = Files.createTempFile(file.toAbsolutePath().getParent(), file.getFileName() + ".", "");
                Files.writeString(ahead, UUID.randomUUID() + "\n");
                Files.move(ahead, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new TokenFileException(
                    "the token of the admin port cannot be written to " + file + ": " + FileTrouble.inWords(e), e);
        }
    }

    /** Where the token is, in words for a log and for a caller who has shown none. */
    String description() {
        return description;
    }

    /** The token; empty where there is none now. */
    Optional<String> currentToken() {
        return current.get();
    }

    /**
     * Whether an {@code Authorization} header shows the token. Takes equally long for all wrong tokens of one length.
     */
    boolean isShownBy(@Nullable String authorization) {
        if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            return false;
        }
        byte[] shown = authorization.substring(BEARER.length()).strip().getBytes(StandardCharsets.UTF_8);
        return currentToken().stream()
                .anyMatch(right -> MessageDigest.isEqual(right.getBytes(StandardCharsets.UTF_8), shown));
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(AdminSection.read(file)).filter(AdminSection::isToken);
        } catch (IOException e) {
            FAILURES.failed(file.toString(), "the token of the admin port cannot be read", e);
            return Optional.empty();
        }
    }
}
