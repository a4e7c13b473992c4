package org.idallocator.hibernate;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.shop.Customer;
import com.example.shop.Line;
import com.example.shop.Order;
import com.example.shop.Parcel;
import com.example.shop.Shelf;
import com.example.shop.Ticket;
import jakarta.persistence.RollbackException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.Transaction;
import org.hibernate.Version;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.LogId;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.SegmentId;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.id.VolumeId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What holds in every database and with every version of Hibernate. One factory is enough: each test has rows of its
 * own, and asks for no others.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MappingContract {
    private static final long SEED = 0x5EED;
    private static final Duration HOUR = Duration.ofHours(1);

    private final OutageOfIds ids = new OutageOfIds();

    @SuppressWarnings("NullAway.Init")
    private SessionFactory shop;

    /** Starts the database, if need be; returns Hibernate's settings for it. */
    abstract Map<String, Object> settings() throws Exception;

    /**
     * The type of each column of a parcel, as {@code information_schema} says it, with the length where there is one.
     */
    abstract Map<String, String> columns();

    @BeforeAll
    void openShop() throws Exception {
        Map<String, Object> settings = new HashMap<>(settings());
        settings.put(AllocatorIdGenerator.SETTING, ids);
        shop = Database.shop(settings);
    }

    @AfterAll
    void closeShop() {
        if (shop != null) {
            shop.close();
        }
    }

    @AfterEach
    void endOutage() {
        ids.end();
    }

    private <T> T persisted(T entity) {
        shop.inTransaction(session -> session.persist(entity));
        return entity;
    }

    private <T> T found(Class<T> type, Object id) {
        return shop.fromTransaction(session -> session.find(type, id));
    }

    private static Order order(Sno id) {
        Order order = new Order();
        order.id = id;
        return order;
    }

    /** Maven says which it is; an editor says nothing. */
    @Test
    void shouldRunWithTheVersionThatIsMeant() {
        String running = Version.getVersionString();

        assertEquals(System.getProperty("hibernate.meant", running), running);
    }

    @Test
    void shouldGiveAnEntityItsIdsWhenItIsInserted() {
        Order order = new Order();
        shop.inTransaction(session -> {
            session.persist(order);
            assertNotNull(order.id, "an @Id at once");
        });
        assertNotNull(order.shown, "others when the row is written");

        Order found = found(Order.class, order.id);
        assertEquals(order.id, found.id);
        assertEquals(order.shown, found.shown);
    }

    @Test
    void shouldDrawEveryTypeIntoEveryAttributeThatTakesIt() {
        Ticket ticket = persisted(new Ticket());

        Ticket found = found(Ticket.class, ticket.id);
        assertAll(
                () -> assertEquals(ticket.sno, found.sno),
                () -> assertEquals(ticket.muid, found.muid),
                () -> assertEquals(ticket.eightByte, found.eightByte),
                () -> assertEquals(ticket.uid60, found.uid60),
                () -> assertEquals(ticket.gid, found.gid),
                () -> assertEquals(ticket.volume, found.volume),
                () -> assertEquals(ticket.log, found.log),
                () -> assertEquals(ticket.segment, found.segment),
                () -> assertInstanceOf(LogId.class, found.gidOfLog),
                () -> assertEquals(ticket.gidOfLog, found.gidOfLog),
                () -> assertEquals(Muid.fromUuid(ticket.id), Muid.fromUuid(found.id)),
                () -> assertEquals(EightByteId.fromLong(ticket.number), EightByteId.fromLong(found.number)),
                () -> assertEquals(Sno.fromBytes(ticket.bytes), Sno.fromBytes(found.bytes)),
                () -> assertEquals(SegmentId.parse(ticket.text), SegmentId.parse(found.text)),
                () -> assertEquals(Sno.fromUuid(ticket.uuid), Sno.fromUuid(found.uuid)));
    }

    @Test
    void shouldDrawNothingWhenAnEntityIsUpdated() {
        Order order = persisted(new Order());

        shop.inTransaction(session -> session.find(Order.class, order.id).what = "coffee");

        Order found = found(Order.class, order.id);
        assertEquals("coffee", found.what);
        assertEquals(order.shown, found.shown);
    }

    @Test
    void shouldKeepTheIdsThatTheProgramHasGiven() {
        Order order = order(Sno.parse("9q7qmwq2222dhi22"));
        order.shown = Uid60.parse("X-pWCABHvy");
        shop.getStatistics().clear();
        persisted(order);
        assertEquals(1, shop.getStatistics().getPrepareStatementCount(), "the insert, and no select before it");

        Order found = found(Order.class, Sno.parse("9q7qmwq2222dhi22"));
        assertEquals(Uid60.parse("X-pWCABHvy"), found.shown);
    }

    @Test
    void shouldKeepTheIdThatTheProgramHasGivenWhenItMerges() {
        Sno id = Sno.parse("9q7qmwq2222dhi2x");

        Order merged = shop.fromTransaction(session -> session.merge(order(id)));

        assertEquals(id, merged.id);
        assertEquals(id, found(Order.class, id).id);
    }

    @Test
    void shouldInsertInBatches() {
        shop.getStatistics().clear();

        shop.inTransaction(session -> IntStream.range(0, 50).forEach(i -> session.persist(new Order())));

        assertEquals(50, shop.getStatistics().getEntityInsertCount());
        assertEquals(1, shop.getStatistics().getPrepareStatementCount(), "statements for 50 rows");
    }

    @Test
    void shouldHaveTheColumnsThatAreSaid() {
        List<Object[]> found = shop.fromTransaction(
                session -> session.createNativeQuery("""
                        select lower(column_name), lower(data_type), character_maximum_length
                        from information_schema.columns where lower(table_name) = 'parcel'
                        """, Object[].class).getResultList());

        Map<String, String> types = new TreeMap<>();
        found.forEach(row -> types.put((String) row[0], row[1] + (row[2] == null ? "" : "(" + row[2] + ")")));
        types.remove("number");
        assertEquals(new TreeMap<>(columns()), types);
    }

    private static Parcel parcel(int number, Random random) {
        Parcel parcel = new Parcel();
        parcel.number = number;
        parcel.sno = new Sno(random.nextInt(1 << 16), random.nextLong());
        parcel.snoFixed = parcel.sno;
        parcel.snoUuid = parcel.sno;
        parcel.snoText = parcel.sno;
        parcel.muid = new Muid(random.nextLong(), random.nextLong());
        parcel.muidUuid = parcel.muid;
        parcel.muidText = parcel.muid;
        parcel.eightByte =
                EightByteId.of(random.nextLong() >>> 22, random.nextInt(64), random.nextInt(64), random.nextInt(16));
        parcel.eightByteText = parcel.eightByte;
        parcel.uid60 = Uid60.fromLong(random.nextLong() >>> 4);
        parcel.uid60Text = parcel.uid60;
        parcel.uid60Bytes = parcel.uid60;
        parcel.volume = VolumeId.of(random.nextLong() >>> 16, random.nextLong());
        parcel.log = LogId.of(random.nextLong() >>> 16, random.nextLong());
        parcel.segment = SegmentId.of(random.nextLong() >>> 16, random.nextLong());
        parcel.gid = List.<Gid>of(parcel.volume, parcel.log, parcel.segment).get(number % 3);
        parcel.gidUuid = parcel.gid;
        parcel.gidText = parcel.gid;
        return parcel;
    }

    private static List<?> idsOf(Parcel parcel) {
        return Stream.<Id>of(
                        parcel.sno,
                        parcel.snoFixed,
                        parcel.snoUuid,
                        parcel.snoText,
                        parcel.muid,
                        parcel.muidUuid,
                        parcel.muidText,
                        parcel.eightByte,
                        parcel.eightByteText,
                        parcel.uid60,
                        parcel.uid60Text,
                        parcel.uid60Bytes,
                        parcel.gid,
                        parcel.gidUuid,
                        parcel.gidText,
                        parcel.volume,
                        parcel.log,
                        parcel.segment)
                .toList();
    }

    @Test
    void shouldReadWhatWasWrittenIntoEachColumn() {
        Parcel parcel = persisted(parcel(1, new Random(SEED)));

        assertEquals(idsOf(parcel), idsOf(found(Parcel.class, 1)));
    }

    @Test
    void shouldReadNothingWhereNothingWasWritten() {
        Parcel parcel = new Parcel();
        parcel.number = 2;
        persisted(parcel);

        assertEquals(Collections.nCopies(18, null), idsOf(found(Parcel.class, 2)));
        assertEquals(
                1L,
                shop.<Long>fromTransaction(session -> session.createSelectionQuery(
                                "select count(*) from Parcel where number = 2 and sno is null and uid60 is null",
                                Long.class)
                        .getSingleResult()));
    }

    /** An eightbyte has no order by time, and the text of a uid60 none at all. */
    @Test
    void shouldSortInSqlAsTheIdsDo() {
        Random random = new Random(SEED);
        shop.inTransaction(session -> IntStream.range(100, 200).forEach(i -> session.persist(parcel(i, random))));
        String attributes =
                "sno snoFixed snoUuid snoText muid muidUuid muidText uid60 uid60Bytes gid gidUuid volume log segment";

        assertAll(Stream.of(attributes.split(" ", -1)).map(attribute -> () -> {
            List<?> sorted = shop.fromTransaction(session -> session.createSelectionQuery(
                            "select %s from Parcel where number between 100 and 199 order by %1$s".formatted(attribute),
                            Object.class)
                    .getResultList());
            assertEquals(100, Set.copyOf(sorted).size(), attribute);
            assertEquals(inOrder(sorted), sorted, attribute + ", seed " + SEED);
        }));
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // each list is of IDs of one type
    private static List<?> inOrder(List<?> ids) {
        List<Comparable> copy = new ArrayList<>((List<Comparable>) ids);
        Collections.sort(copy);
        return copy;
    }

    @Test
    void shouldFindWhatIsOfATime() {
        Instant eleven = Instant.parse("2031-01-01T11:00:00Z");
        Instant twelve = eleven.plus(HOUR);
        List<Sno> all = Stream.of(eleven.minusMillis(1), eleven, twelve.minusMillis(1), twelve)
                .map(time -> Sno.at(time, 1, 2, 3))
                .toList();
        shop.inTransaction(session -> all.forEach(id -> session.persist(order(id))));

        List<Sno> within = all.subList(1, 3);
        assertEquals(within, between(Sno.first(eleven), Sno.last(twelve.minusNanos(1)), "o.id between :from and :to"));
        assertEquals(within, between(Sno.first(eleven), Sno.first(twelve), "o.id >= :from and o.id < :to"));
    }

    private List<Sno> between(Sno from, Sno to, String condition) {
        return shop.fromTransaction(session -> session.createSelectionQuery(
                        "select o.id from Order o where " + condition + " order by o.id", Sno.class)
                .setParameter("from", from)
                .setParameter("to", to)
                .getResultList());
    }

    @Test
    void shouldFindByIdsInQueries() {
        Order one = persisted(new Order());
        Order other = persisted(new Order());

        assertAll(
                () -> assertEquals(one.id, only("from Order o where o.id = :id", one.id).id),
                () -> assertEquals(one.id, only("from Order o where o.shown = :id", one.shown).id),
                () -> assertEquals(other.id, only("from Order o where o.id in (:id)", List.of(other.id)).id));
    }

    private Order only(String query, Object id) {
        return shop.fromTransaction(session -> session.createSelectionQuery(query, Order.class)
                .setParameter("id", id)
                .getSingleResult());
    }

    @Test
    void shouldReferToEntitiesByTheirIds() {
        Customer customer = new Customer();
        Order first = new Order();
        Order second = new Order();
        first.customer = customer;
        second.customer = customer;
        second.follows = first;
        shop.inTransaction(session -> Stream.of(customer, first, second).forEach(session::persist));

        shop.inTransaction(session -> {
            Customer found = session.find(Customer.class, customer.number);
            assertEquals(Sno.parse(customer.shown), Sno.parse(found.shown));
            assertEquals(Uid60.fromLong(customer.number), Uid60.fromLong(found.number));
            assertEquals(2, found.orders.size());
            assertEquals(first.id, session.find(Order.class, second.id).follows.id);
        });
    }

    @Test
    void shouldKeepIdsInCollections() {
        Order order = new Order();
        order.changes = Set.of(new Muid(1, 2), new Muid(-3, 4));
        persisted(order);

        shop.inTransaction(session -> assertEquals(
                Set.of(new Muid(1, 2), new Muid(-3, 4)), Set.copyOf(session.find(Order.class, order.id).changes)));
        assertEquals(order.id, only("from Order o join o.changes c where c = :id", new Muid(-3, 4)).id);
    }

    @Test
    void shouldFindByAKeyOfSeveralIds() {
        Line.Key key = new Line.Key(Sno.parse("9q7qmwq2222dhi22"), Uid60.parse("X-pWCABHvy"));
        Line line = new Line();
        line.key = key;
        persisted(line);

        assertEquals(key, found(Line.class, new Line.Key(key.orderId, key.product)).key);
    }

    @Test
    void shouldDrawAPartOfAKey() {
        Shelf shelf = persisted(new Shelf());

        assertNotNull(shelf.key.number);
        assertEquals(shelf.key, found(Shelf.class, shelf.key).key);
    }

    @Test
    void shouldPassOnWhyNoIdIsDrawn() {
        ids.begin(FenceReason.UNREACHABLE);
        try (Session session = shop.openSession()) {
            Transaction transaction = session.beginTransaction();
            FencedException refused = assertThrows(FencedException.class, () -> session.persist(new Order()));
            assertEquals(FenceReason.UNREACHABLE, refused.reason());
            transaction.rollback();
        }
    }

    @Test
    void shouldPassOnWhyNoIdIsDrawnWhenRowsAreWritten() {
        try (Session session = shop.openSession()) {
            Transaction transaction = session.beginTransaction();
            session.persist(new Order());
            ids.begin(FenceReason.UNREACHABLE);
            assertThrows(FencedException.class, session::flush);
            transaction.rollback();
        }
    }

    @Test
    void shouldTellTheCauseWhenACommitWritesRowsAndNoIdIsDrawn() {
        try (Session session = shop.openSession()) {
            Transaction transaction = session.beginTransaction();
            Order order = new Order();
            session.persist(order);
            ids.begin(FenceReason.UNREACHABLE);
            RollbackException refused = assertThrows(RollbackException.class, transaction::commit);
            assertInstanceOf(FencedException.class, refused.getCause());
            ids.end();
            assertNull(found(Order.class, order.id), "nothing was written");
        }
    }

    @Test
    void shouldReadIdsThatAreOnlySelected() {
        Order order = persisted(new Order());

        Object[] row = shop.fromTransaction(session -> session.createSelectionQuery(
                        "select o.id, max(o.shown) from Order o where o.id = :id group by o.id", Object[].class)
                .setParameter("id", order.id)
                .getSingleResult());

        assertEquals(order.id, row[0]);
        assertEquals(order.shown, row[1]);
        assertFalse(row[0] instanceof byte[]);
        assertTrue(row[1] instanceof Uid60);
        assertSame(Sno.class, row[0].getClass());
    }
}
