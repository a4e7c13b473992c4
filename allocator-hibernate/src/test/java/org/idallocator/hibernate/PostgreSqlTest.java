package org.idallocator.hibernate;

import static java.util.Map.entry;

import java.io.IOException;
import java.util.Map;
import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.condition.EnabledIf;

@ProofOnly("a PostgreSQL of its own")
@EnabledIf(
        value = "org.idallocator.hibernate.PostgreSqlServer#installed",
        disabledReason = "PostgreSQL is not installed (Debian: apt-get install postgresql)")
class PostgreSqlTest extends MappingContract {
    @SuppressWarnings("NullAway.Init")
    private PostgreSqlServer server;

    @Override
    Map<String, Object> settings() throws IOException {
        server = PostgreSqlServer.start();
        return Map.of("hibernate.connection.url", server.url());
    }

    /** After the shop is closed, whose connections it would wait for. */
    @AfterAll
    @Override
    void closeShop() {
        super.closeShop();
        server.close();
    }

    @Override
    Map<String, String> columns() {
        return Map.ofEntries(
                entry("sno", "bytea"),
                entry("snofixed", "bytea"),
                entry("snouuid", "uuid"),
                entry("snotext", "character varying(16)"),
                entry("muid", "bytea"),
                entry("muiduuid", "uuid"),
                entry("muidtext", "character varying(32)"),
                entry("eightbyte", "bigint"),
                entry("eightbytetext", "character varying(16)"),
                entry("uid60", "bigint"),
                entry("uid60text", "character varying(10)"),
                entry("uid60bytes", "bytea"),
                entry("gid", "bytea"),
                entry("giduuid", "uuid"),
                entry("gidtext", "character varying(24)"),
                entry("volume", "bytea"),
                entry("log", "bytea"),
                entry("segment", "uuid"));
    }
}
