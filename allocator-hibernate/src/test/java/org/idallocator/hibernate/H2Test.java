package org.idallocator.hibernate;

import static java.util.Map.entry;

import java.util.Map;

class H2Test extends MappingContract {
    @Override
    Map<String, Object> settings() {
        return Database.h2();
    }

    @Override
    Map<String, String> columns() {
        return Map.ofEntries(
                entry("sno", "binary varying(10)"),
                entry("snofixed", "binary(10)"),
                entry("snouuid", "uuid"),
                entry("snotext", "character varying(16)"),
                entry("muid", "binary varying(16)"),
                entry("muiduuid", "uuid"),
                entry("muidtext", "character varying(32)"),
                entry("eightbyte", "bigint"),
                entry("eightbytetext", "character varying(16)"),
                entry("uid60", "bigint"),
                entry("uid60text", "character varying(10)"),
                entry("uid60bytes", "binary varying(8)"),
                entry("gid", "binary varying(16)"),
                entry("giduuid", "uuid"),
                entry("gidtext", "character varying(24)"),
                entry("volume", "binary varying(16)"),
                entry("log", "binary varying(16)"),
                entry("segment", "uuid"));
    }
}
