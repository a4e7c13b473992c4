package org.idallocator.dropwizard.embedded;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:64884", "[0:0:0:0:0:0:0:1]:64884"})
    void shouldReadThePortOfAnAddressOfEitherKind(String connect) {
        assertEquals(64_884, new Address(1, connect, 1, "localhost", "x").port());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "{'version':1,'connect':'127.0.0.1:99999','pid':1,'host':'h','identity':'i'}",
                "{'version':1,'connect':'127.0.0.1','pid':1,'host':'h','identity':'i'}",
                "{'version':1,'connect':'127.0.0.1:1','pid':'x','host':'h','identity':'i'}",
                "\u0000\u0000\u00ff\u00ff"
            })
    void shouldTakeAMalformedAddressForNone(String content) throws IOException {
        Path file = directory.resolve("server.json");
        Files.write(file, content.replace('\'', '"').getBytes(ISO_8859_1));

        assertEquals(Optional.empty(), JsonFile.read(file, Address.class));
    }
}
