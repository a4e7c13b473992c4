package org.idallocator.hibernate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.library.Shop;
import jakarta.persistence.EntityManager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.testing.TestIds;
import org.junit.jupiter.api.Test;

/** The program of docs/library.md is one of these tests, and does what it says. */
class LibraryPageTest {
    private static final Path SHOP = Path.of("src/test/java/com/example/library/Shop.java");
    private static final Path PAGE = Path.of("..", "docs", "library.md");

    @Test
    void shouldShowTheProgramThatIsTested() throws IOException {
        String program = Files.readString(SHOP).replaceFirst("package .*;\n\n", "");

        assertTrue(Files.readString(PAGE).contains("\n```java\n" + program + "```\n"), () -> "not there: " + program);
    }

    @Test
    void shouldFindTheOrdersOfATime() {
        Shop.Order order = new Shop.Order();
        try (EntityManager manager = new Shop(TestIds.all()).open()) {
            manager.getTransaction().begin();
            manager.persist(order);
            manager.getTransaction().commit();

            Duration hour = Duration.ofHours(1);
            assertEquals(List.of(order), Shop.of(TestIds.START, TestIds.START.plus(hour), manager));
            assertEquals(List.of(), Shop.of(TestIds.START.minus(hour), TestIds.START, manager));
        }
        assertEquals("9d5ve82222222222", order.id.toString());
        assertEquals(Uid60.fromLong(order.number).time(), order.shown.time());
        assertNotNull(order.number);
    }
}
