package org.idallocator.zk.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The image of {@code allocator-service/Dockerfile}, built from what Maven has built, by the {@code docker} of the
 * path. It is removed when it is closed. Its jar is looked for from a module below {@code verification} that has it
 * built before.
 */
public final class ServiceImage implements AutoCloseable {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path DOCKERFILE = ROOT.resolve("allocator-service").resolve("Dockerfile");

    private final String tag = "id-allocator-test-" + ProcessHandle.current().pid();

    private ServiceImage() {}

    /** Builds the image; with layers that another build has left, in half a minute. */
    public static ServiceImage built() {
        ServiceImage image = new ServiceImage();
        Commands.output(List.of("docker", "build", "-t", image.tag, "-f", DOCKERFILE.toString(), ROOT.toString()));
        return image;
    }

    /** What {@code docker image inspect} tells of the image, by a template such as <code>{{.Size}}</code>. */
    public String inspect(String template) {
        return Commands.output(List.of("docker", "image", "inspect", "-f", template, tag))
                .strip();
    }

    /** Starts a container that goes on by itself; its port 8080 is published on the loopback interface. */
    public ServiceContainer start(List<String> options, String... arguments) {
        List<String> command = new ArrayList<>(List.of("docker", "run", "-d", "-p", "127.0.0.1::8080"));
        command.addAll(options);
        command.add(tag);
        command.addAll(List.of(arguments));
        return new ServiceContainer(Commands.output(command).strip());
    }

    @Override
    public void close() {
        Commands.tryRun("docker", "image", "rm", "--force", tag);
    }
}
