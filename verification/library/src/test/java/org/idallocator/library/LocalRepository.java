package org.idallocator.library;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.idallocator.core.testing.Proof;

/**
 * A Maven repository of a test. The library is where {@code mvn install} puts it; all else is a link to the repository
 * of the build that runs the test, as far as it is there, so that little is fetched and nothing is left behind.
 *
 * @param home its directory
 */
record LocalRepository(Path home) {
    static final String VERSION = System.getProperty("allocator.version", "");
    private static final List<String> SOURCES = List.of(".jar", "-sources.jar");
    private static final List<String> DOCUMENTED = List.of(".jar", "-sources.jar", "-javadoc.jar");
    private static final Path ROOT = Path.of("..", "..");

    static LocalRepository in(Path home) throws IOException {
        LocalRepository repository = new LocalRepository(home);
        repository.linkAll(Path.of(System.getProperty("maven.repository", "")));
        repository.install("id-allocator-parent", ROOT.resolve("pom.xml"), List.of());
        List<String> ofLibrary = Proof.size(SOURCES, DOCUMENTED);
        repository.installModule("allocator-core", ofLibrary);
        repository.installModule("allocator-zk", ofLibrary);
        repository.installModule("allocator-hibernate", ofLibrary);
        repository.installModule("allocator-dropwizard", ofLibrary);
        repository.installModule("allocator-spring-boot-starter", ofLibrary);
        return repository;
    }

    /**
     * Links to the artifacts of the repository of the build that runs this test; what is missing Maven gets as ever.
     */
    private void linkAll(Path original) throws IOException {
        try (Stream<Path> files = Files.walk(original)) {
            for (Path file : files.filter(LocalRepository::isOfOthers).toList()) {
                Path link = home.resolve(original.relativize(file));
                Files.createDirectories(Objects.requireNonNull(link.getParent()));
                Files.createSymbolicLink(link, file.toAbsolutePath());
            }
        }
    }

    /** Not this project's own, and none of the files that Maven keeps beside artifacts and writes to. */
    private static boolean isOfOthers(Path file) {
        return Files.isRegularFile(file)
                && file.toString().matches(".*\\.(jar|pom)")
                && !file.toString().contains("/org/idallocator/");
    }

    /** Deletes the links, about each of which JUnit would print a warning. */
    void deleteLinks() throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            for (Path link : files.filter(Files::isSymbolicLink).toList()) {
                Files.delete(link);
            }
        }
    }

    private void installModule(String module, List<String> suffixes) throws IOException {
        Path built = ROOT.resolve(module);
        install(
                module,
                built.resolve("pom.xml"),
                suffixes.stream()
                        .map(suffix -> built.resolve("target").resolve(module + "-" + VERSION + suffix))
                        .toList());
    }

    private void install(String artifact, Path pom, List<Path> jars) throws IOException {
        Path to = Files.createDirectories(directory(artifact));
        Files.copy(pom, to.resolve(artifact + "-" + VERSION + ".pom"));
        for (Path jar : jars) {
            Files.copy(jar, to.resolve(Objects.requireNonNull(jar.getFileName())));
        }
    }

    private Path directory(String artifact) {
        return home.resolve("org/idallocator").resolve(artifact).resolve(VERSION);
    }

    /** The jar of a module with this suffix: {@code .jar}, {@code -sources.jar} or {@code -javadoc.jar}. */
    Path jar(String artifact, String suffix) {
        return directory(artifact).resolve(artifact + "-" + VERSION + suffix);
    }
}
