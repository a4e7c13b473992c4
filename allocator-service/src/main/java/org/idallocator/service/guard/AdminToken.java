package org.idallocator.service.guard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.idallocator.service.config.AdminSection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The secret that a call must show to change anything on the admin port, as {@code Authorization: Bearer TOKEN}. It is in the
 * configuration, or in a file, which is read at each such call, so that a new one counts at once. It is never logged. Thread-safe.
 */
public final class AdminToken {
    private static final Logger LOG = LoggerFactory.getLogger(AdminToken.class);
    private static final String BEARER = "bearer ";
    private static final int RANDOM_BYTES = 24;
    private static final String OWNER_ALONE = "rw-------";

    private final Optional<String> text;
    private final Optional<Path> file;

    private AdminToken(Optional<String> text, Optional<Path> file) {
        this.text = text;
        this.file = file;
    }

    /**
     * The token that a configuration names. Where it names none, one is made, once, and kept in {@code made}; where there is no
     * such file either, no call shows the right one.
     *
     * @throws UncheckedIOException when a token has to be made, and cannot be written
     */
    public static AdminToken of(AdminSection section, Optional<Path> made) {
        if (section.token().isPresent()) {
            return new AdminToken(section.token(), Optional.empty());
        }
        Optional<Path> named = section.tokenFile();
        if (named.isEmpty()) {
            made.ifPresent(AdminToken::make);
        }
        return new AdminToken(Optional.empty(), named.or(() -> made));
    }

    /** Makes the file, for its owner alone, unless it exists. */
    private static void make(Path file) {
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        String line = Base64.getUrlEncoder().withoutPadding().encodeToString(random) + "\n";
        Set<StandardOpenOption> anew = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (SeekableByteChannel channel = Files.newByteChannel(file, anew, ownerAlone(file))) {
            channel.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
        } catch (FileAlreadyExistsException e) {
            LOG.debug("{} was made before", file, e);
        } catch (IOException e) {
            throw new UncheckedIOException("the token of the admin port cannot be written to " + file, e);
        }
    }

    /** The rights of the file, where the system has such rights. */
    private static FileAttribute<?>[] ownerAlone(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ALONE))
                }
                : new FileAttribute<?>[0];
    }

    /** Where the token is, in words for a log and for who has shown none. */
    String place() {
        return text.isPresent()
                ? "allocator.admin.token of its configuration"
                : file.map(path -> "the file " + path).orElse("none: allocator.admin.token is not configured");
    }

    /** Whether there is a token at all. */
    boolean exists() {
        return now().isPresent();
    }

    /** Whether an {@code Authorization} header shows the token. Takes as long for every wrong one of a length. */
    boolean isShownBy(@Nullable String authorization) {
        if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            return false;
        }
        byte[] shown = bytes(authorization.substring(BEARER.length()).strip());
        return now().filter(right -> MessageDigest.isEqual(bytes(right), shown)).isPresent();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Optional<String> now() {
        return text.or(() -> file.flatMap(AdminToken::read).filter(AdminSection::isToken));
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException e) {
            LOG.warn("the token of the admin port cannot be read: {}", e.toString());
            LOG.debug("the token of the admin port cannot be read", e);
            return Optional.empty();
        }
    }
}
