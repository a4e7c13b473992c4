package com.example.library;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Persistence;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.hibernate.AllocatorIdGenerator;
import org.idallocator.hibernate.GeneratedId;

public class Shop {
    @Entity(name = "orders")
    public static class Order {
        @Id
        @GeneratedId
        public Sno id; // bytea or varbinary(10): sorts by time

        @GeneratedId
        @JdbcTypeCode(SqlTypes.VARCHAR)
        public Uid60 shown; // varchar(10)

        @GeneratedId(Uid60.class)
        public Long number; // bigint
    }

    private final EntityManagerFactory database;

    public Shop(IdGenerators allocator) { // an IdAllocator, or TestIds.all() in tests
        database = Persistence.createEntityManagerFactory("shop", Map.of(AllocatorIdGenerator.SETTING, allocator));
    }

    public EntityManager open() {
        return database.createEntityManager();
    }

    public static List<Order> of(Instant from, Instant to, EntityManager manager) {
        return manager.createQuery("from orders where id >= :from and id < :to order by id", Order.class)
                .setParameter("from", Sno.first(from))
                .setParameter("to", Sno.first(to))
                .getResultList();
    }
}
