package org.idallocator.service.testing;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.idallocator.service.AllocatorApplication;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives all tests the same service, with every scheme, on an embedded ZooKeeper. */
public final class SharedService implements ParameterResolver {
    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(SharedService.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == RunningService.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(StoreScope.LAUNCHER_SESSION, SPACE)
                .getOrComputeIfAbsent("service", key -> start(), Closed.class)
                .service();
    }

    /** Serves on where nothing runs for many seconds. */
    private static Closed start() {
        try {
            Path data = Files.createTempDirectory("shared-service");
            RunningService service = RunningService.start(
                            AllocatorApplication.class,
                            "zookeeper.embedded.dataDir=" + data,
                            "zookeeper.sessionTimeout=60s",
                            "window=30s",
                            "maxClockSkew=10s")
                    .awaitReady();
            return new Closed(service, data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Closed(RunningService service, Path data) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            service.close();
            MoreFiles.deleteRecursively(data, RecursiveDeleteOption.ALLOW_INSECURE);
        }
    }
}
