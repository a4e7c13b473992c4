package org.idallocator.spring;

import java.io.IOException;
import org.idallocator.core.testing.Signatures;
import org.junit.jupiter.api.Test;

class SignaturesTest {
    @Test
    void shouldKeepWhatProgramsUse() throws IOException {
        Signatures.assertKept();
    }
}
