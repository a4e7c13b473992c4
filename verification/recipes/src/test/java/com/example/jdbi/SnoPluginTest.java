package com.example.jdbi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.idallocator.core.id.Sno;
import org.idallocator.core.testing.TestIds;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SnoPluginTest {
    private final List<Sno> ids = TestIds.all().of(Sno.class).next(3);
    private final Jdbi jdbi = Jdbi.create("jdbc:h2:mem:jdbi;DB_CLOSE_DELAY=-1").installPlugin(new SnoPlugin());

    /** An order that may follow another one. */
    public record Order(Sno id, Sno previous) {}

    @BeforeEach
    void createTable() {
        jdbi.useHandle(handle -> handle.execute(
                "drop all objects; create table orders (id binary(10) primary key, previous binary(10))"));
    }

    @Test
    void shouldBindAndMapIds() {
        Order order = new Order(ids.get(1), ids.get(0));
        try (Handle handle = jdbi.open()) {
            handle.createUpdate("insert into orders values (:id, :previous)")
                    .bindMethods(order)
                    .execute();

            assertEquals(
                    order,
                    handle.createQuery("select * from orders where id = :id")
                            .bind("id", order.id())
                            .registerRowMapper(ConstructorMapper.factory(Order.class))
                            .mapTo(Order.class)
                            .one());
            assertEquals(
                    List.of(ids.get(1)),
                    handle.createQuery("select id from orders where id in (<ids>)")
                            .bindList("ids", ids)
                            .mapTo(Sno.class)
                            .list());
        }
    }

    @Test
    void shouldReadNullWhenThereIsNoId() {
        try (Handle handle = jdbi.open()) {
            handle.execute("insert into orders values (?, ?)", ids.get(0), null);

            assertNull(handle.createQuery("select previous from orders")
                    .mapTo(Sno.class)
                    .one());
        }
    }
}
