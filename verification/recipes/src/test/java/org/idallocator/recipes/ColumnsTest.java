package org.idallocator.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.id.VolumeId;
import org.idallocator.core.testing.TestIds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The columns of docs/programs.md in the databases that it says are tried: they store IDs, and sort them by time. */
class ColumnsTest {
    private static final String H2 = "jdbc:h2:mem:";
    private static final String SQLITE = "jdbc:sqlite::memory:";
    private static final long SEED = 1;

    /** Far apart, so that each byte of a time differs; until what all schemes can carry. */
    private static final List<Instant> TIMES = Stream.iterate(
                    Instant.parse("2026-01-01T00:00:00Z"), time -> time.plusSeconds(9_876_543))
            .takeWhile(time -> time.isBefore(Instant.parse("2079-01-01T00:00:00Z")))
            .toList();

    @ParameterizedTest
    @MethodSource("columns")
    void shouldSortByTime(String url, String table, List<?> inOrder) throws SQLException {
        List<Object> shuffled = new ArrayList<>(inOrder);
        Collections.shuffle(shuffled, new Random(SEED));
        try (Connection database = DriverManager.getConnection(url);
                Statement statement = database.createStatement()) {
            statement.execute("create table ids (id " + table);
            store(shuffled, database);
            List<Object> found = new ArrayList<>();
            ResultSet rows = statement.executeQuery("select id from ids order by id");
            while (rows.next()) {
                found.add(comparable(rows.getObject(1)));
            }

            assertEquals(inOrder.stream().map(ColumnsTest::comparable).toList(), found);
        }
    }

    static Stream<Arguments> columns() {
        List<byte[]> snos = of(time -> Sno.first(time).toBytes());
        List<byte[]> muids = of(time -> Muid.first(time).toBytes());
        List<byte[]> gids = of(time -> VolumeId.first(time).toBytes());
        List<Long> uid60s = of(time -> Uid60.first(time).toLong());
        return Stream.of(
                arguments(H2, "binary(10) primary key)", snos),
                arguments(H2, "binary(16) primary key)", muids),
                arguments(H2, "binary(16) primary key)", gids),
                arguments(H2, "bigint primary key)", uid60s),
                arguments(H2, "uuid primary key)", of(time -> Sno.first(time).toUuid())),
                arguments(H2, "uuid primary key)", of(time -> Muid.first(time).toUuid())),
                arguments(
                        H2, "uuid primary key)", of(time -> VolumeId.first(time).toUuid())),
                arguments(SQLITE, "blob primary key) without rowid", snos),
                arguments(SQLITE, "blob primary key)", muids),
                arguments(SQLITE, "blob primary key)", gids),
                arguments(SQLITE, "integer primary key)", uid60s));
    }

    private static <V> List<V> of(Function<Instant, V> valueAt) {
        return TIMES.stream().map(valueAt).toList();
    }

    /** Arrays are equal only to themselves, and a database gives small numbers back as another type. */
    private static Object comparable(Object value) {
        if (value instanceof byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        }
        if (value instanceof Number number) {
            return number.longValue();
        }
        return value;
    }

    private static void store(List<?> values, Connection database) throws SQLException {
        try (PreparedStatement insert = database.prepareStatement("insert into ids values (?)")) {
            for (Object value : values) {
                if (value instanceof byte[] bytes) {
                    insert.setBytes(1, bytes);
                } else if (value instanceof UUID uuid) {
                    insert.setObject(1, uuid);
                } else if (value instanceof Long number) {
                    insert.setLong(1, number);
                } else {
                    insert.setString(1, value.toString());
                }
                insert.executeUpdate();
            }
        }
    }

    /** Half of all eightbytes are negative there. */
    @Test
    void shouldKeepEightbytesAsSignedNumbers() throws SQLException {
        List<EightByteId> ids = TestIds.all().of(EightByteId.class).next(200);
        assertTrue(ids.stream().anyMatch(id -> id.toLong() < 0), ids::toString);
        for (String url : List.of(H2, SQLITE)) {
            try (Connection database = DriverManager.getConnection(url);
                    Statement statement = database.createStatement()) {
                statement.execute("create table ids (id bigint primary key)");
                store(ids.stream().map(EightByteId::toLong).toList(), database);
                List<EightByteId> found = new ArrayList<>();
                ResultSet rows = statement.executeQuery("select id from ids");
                while (rows.next()) {
                    found.add(EightByteId.fromLong(rows.getLong(1)));
                }

                assertEquals(
                        ids.stream().sorted().toList(), found.stream().sorted().toList());
            }
        }
    }

    /** All IDs of a worker in a second, as they may come. */
    private static List<String> aSecond(Random random) {
        long second = TestIds.START.getEpochSecond() - Uid60.EPOCH_UNIX_S;
        return IntStream.rangeClosed(0, Uid60.MAX_SEQUENCE)
                .mapToObj(i -> Uid60.of(second, 7, i, random.nextInt(Uid60.MAX_RANDOM + 1)))
                .map(Uid60::toString)
                .toList();
    }

    /** What the page warns of: two IDs are one to a key that ignores case, and within a second's IDs there are some. */
    @Test
    void shouldTakeTwoTextsOfUid60ForOneWhenCaseIsIgnored() throws SQLException {
        List<String> texts = aSecond(new Random(SEED));
        Set<String> withoutCase =
                texts.stream().map(text -> text.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
        assertTrue(withoutCase.size() < texts.size(), "some of these differ only by case");
        try (Connection database = DriverManager.getConnection(H2);
                Statement statement = database.createStatement()) {
            statement.execute("create table ids (id varchar_ignorecase(10) primary key)");
            SQLException refused = assertThrows(SQLException.class, () -> store(texts, database));
            assertEquals("23505", refused.getSQLState(), "a key that is there already");

            statement.execute("drop all objects; create table ids (id varchar(10) primary key)");
            store(texts, database);
        }
    }
}
