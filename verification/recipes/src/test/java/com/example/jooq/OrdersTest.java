package com.example.jooq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.testing.TestIds;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrdersTest {
    private final IdGenerators ids = TestIds.all();

    /** It prints advertisements. */
    @BeforeAll
    static void quiet() {
        System.setProperty("org.jooq.no-logo", "true");
        System.setProperty("org.jooq.no-tips", "true");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jdbc:h2:mem:         | H2     | create table orders (id binary(10) primary key, customer bigint)
            jdbc:sqlite::memory: | SQLITE | create table orders (id blob primary key, customer integer) without rowid
            """)
    void shouldStoreAndFindIds(String url, SQLDialect dialect, String table) throws Exception {
        try (Connection connection = DriverManager.getConnection(url)) {
            DSLContext database = DSL.using(connection, dialect);
            database.execute(table);
            List<Sno> drawn = ids.of(Sno.class).next(3);
            Sno later = Sno.first(TestIds.START.plusMillis(4));
            Uid60 customer = ids.of(Uid60.class).next();
            drawn.forEach(id -> Orders.insert(id, customer, database));
            Orders.insert(later, null, database);

            assertEquals(
                    Stream.concat(drawn.stream(), Stream.of(later)).toList(), Orders.since(TestIds.START, database));
            assertEquals(List.of(later), Orders.since(later.time(), database));
            assertEquals(customer, customerOf(drawn.get(0), database));
            assertNull(customerOf(later, database));
        }
    }

    private static Uid60 customerOf(Sno id, DSLContext database) {
        return database.select(Orders.CUSTOMER)
                .from("orders")
                .where(Orders.ID.eq(id))
                .fetchOne(Orders.CUSTOMER);
    }
}
