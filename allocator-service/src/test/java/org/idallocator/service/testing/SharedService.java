package org.idallocator.service.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
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
                .getOrComputeIfAbsent("service", key -> new Closed(start()), Closed.class)
                .service();
    }

    private static RunningService start() {
        try {
            String data = Files.createTempDirectory("shared-service").toString();
            return RunningService.start(AllocatorApplication.class, "zookeeper.embedded.dataDir=" + data)
                    .awaitReady();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Closed(RunningService service) implements AutoCloseable {
        @Override
        public void close() {
            service.close();
        }
    }
}
