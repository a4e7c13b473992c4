package org.idallocator.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;

/** These tests run with two versions of Spring Boot. */
class SpringBootVersionTest {
    @Test
    void shouldRunWithTheVersionThatTheBuildNames() {
        String named = System.getProperty("spring-boot.version");
        assumeTrue(named != null, "an editor names none");

        assertEquals(named, SpringBootVersion.getVersion());
    }
}
