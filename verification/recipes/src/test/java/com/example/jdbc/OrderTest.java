package com.example.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.testing.TestIds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderTest {
    private final IdGenerators ids = TestIds.all();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jdbc:h2:mem:                 | create table orders (id binary(10) primary key, customer bigint)
            jdbc:h2:mem:;MODE=PostgreSQL | create table orders (id bytea primary key, customer bigint)
            jdbc:sqlite::memory:         | create table orders (id blob primary key, customer integer) without rowid
            """)
    void shouldFindTheOrdersOfATime(String url, String table) throws Exception {
        try (Connection database = DriverManager.getConnection(url);
                Statement statement = database.createStatement()) {
            statement.execute(table);
            IdGenerator<Uid60> customers = ids.of(Uid60.class);
            List<Order> orders = Stream.concat(
                            ids.of(Sno.class).next(100).stream(),
                            Stream.of(Sno.last(TestIds.START), Sno.first(after(4))))
                    .map(id -> new Order(id, customers.next()))
                    .toList();
            for (Order order : orders) {
                order.insert(database);
            }

            assertEquals(orders.subList(0, 101), Order.of(TestIds.START, after(4), database));
            assertEquals(orders.subList(101, 102), Order.of(after(4), after(8), database));
            assertEquals(List.of(), Order.of(after(8), after(12), database));
        }
    }

    private static Instant after(int millis) {
        return TestIds.START.plusMillis(millis);
    }
}
