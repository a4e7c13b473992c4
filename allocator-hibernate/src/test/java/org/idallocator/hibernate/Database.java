package org.idallocator.hibernate;

import jakarta.persistence.Persistence;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Databases of tests, whose tables Hibernate makes. */
final class Database {
    private static final Map<String, String> SETTINGS = Map.of(
            "hibernate.hbm2ddl.auto", "create",
            "hibernate.generate_statistics", "true",
            "hibernate.jdbc.batch_size", "50");

    private Database() {}

    /** The settings of an H2 in memory of its own, which ends with its last connection. */
    static Map<String, Object> h2() {
        return Map.of("hibernate.connection.url", "jdbc:h2:mem:" + UUID.randomUUID());
    }

    /** Opens the shop as Jakarta Persistence has it, with settings that say where it is, and where IDs come from. */
    static SessionFactory shop(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(SETTINGS);
        all.putAll(settings);
        return Persistence.createEntityManagerFactory("mapping", all).unwrap(SessionFactory.class);
    }

    /** Opens an H2 for one entity as Hibernate itself has it. */
    static SessionFactory of(Class<?> entity, Map<String, Object> settings) {
        Configuration configuration = new Configuration().addAnnotatedClass(entity);
        configuration.getProperties().putAll(SETTINGS);
        configuration.getProperties().putAll(h2());
        configuration.getProperties().putAll(settings);
        return configuration.buildSessionFactory();
    }
}
