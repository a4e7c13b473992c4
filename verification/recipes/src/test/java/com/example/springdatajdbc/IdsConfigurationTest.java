package com.example.springdatajdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Sno;
import org.idallocator.core.testing.TestIds;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionManager;

class IdsConfigurationTest {
    /** What Spring Boot would have made. */
    @Configuration
    @EnableJdbcRepositories(considerNestedRepositories = true)
    static class Database {
        @Bean
        DataSource database() {
            JdbcDataSource database = new JdbcDataSource();
            database.setURL("jdbc:h2:mem:spring;DB_CLOSE_DELAY=-1");
            new JdbcTemplate(database)
                    .execute("drop all objects; create table orders (id binary(10) primary key, what varchar(20))");
            return database;
        }

        @Bean
        NamedParameterJdbcOperations operations(DataSource database) {
            return new NamedParameterJdbcTemplate(database);
        }

        @Bean
        TransactionManager transactionManager(DataSource database) {
            return new DataSourceTransactionManager(database);
        }

        @Bean
        IdGenerator<Sno> snos() {
            return TestIds.all().of(Sno.class);
        }
    }

    @Test
    void shouldGiveIdsToNewOrders() {
        try (var context = new AnnotationConfigApplicationContext(Database.class, IdsConfiguration.class)) {
            Orders orders = context.getBean(Orders.class);
            Order tea = orders.save(new Order(null, "tea"));
            Order cup = orders.save(new Order(null, "cup"));
            Order large = orders.save(new Order(cup.id(), "large cup"));

            assertEquals(TestIds.all().of(Sno.class).next(), tea.id());
            assertEquals(large, orders.findById(cup.id()).orElseThrow());
            assertEquals(
                    List.of(tea, large), orders.findByIdBetween(Sno.first(TestIds.START), Sno.last(TestIds.START)));
            assertEquals(2, orders.count());
        }
    }

    /** The page says so: a record without converters is taken for one that is embedded. */
    @Test
    void shouldWriteTwoColumnsWithoutTheConverters() {
        try (var context = new AnnotationConfigApplicationContext(Database.class, AbstractJdbcConfiguration.class)) {
            Orders orders = context.getBean(Orders.class);
            Order order = new Order(TestIds.all().of(Sno.class).next(), "tea");

            BadSqlGrammarException refused = assertThrows(BadSqlGrammarException.class, () -> orders.save(order));
            assertTrue(refused.getSql().contains("\"HIGH\" = ?, \"LOW\" = ?"), refused::getSql);
        }
    }
}
