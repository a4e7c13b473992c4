package org.idallocator.zk.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.idallocator.zk.store.Store.Op;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class TransactionTest {
    private static final Op.Write WRITE = new Op.Write("/a", "data with a mark", 3);

    @Test
    void shouldKnowWhichOperationIsItsWitness() {
        Op.Create made = new Op.Create("/b", "", false);
        Transaction transaction = Transaction.of(List.of(Op.Check.exists("/"), WRITE, made));
        assertEquals(
                new Witness.OwnText(1, "mark"),
                transaction.witnessedBy(WRITE, "mark").witness());
        assertEquals(new Witness.OwnNode(2), transaction.witnessedBy(made).witness());
    }

    static List<Op> shouldRefuseAWitnessThatProvesNothing() {
        return List.of(
                new Op.Check("/a", 3),
                new Op.Delete("/a", 3),
                Op.Write.whateverVersion("/a", "whatever was there before"));
    }

    @ParameterizedTest
    @MethodSource
    void shouldRefuseAWitnessThatProvesNothing(Op op) {
        Transaction transaction = Transaction.of(List.of(op));
        assertThrows(IllegalArgumentException.class, () -> transaction.witnessedBy(op, "mark"));
    }

    @Test
    void shouldRefuseAWitnessOfAnotherTransaction() {
        Transaction transaction = Transaction.of(List.of(new Op.Check("/a", 3)));
        assertThrows(IndexOutOfBoundsException.class, () -> transaction.witnessedBy(WRITE, "mark"));
    }

    @Test
    void shouldRefuseToBeEmpty() {
        assertThrows(IllegalArgumentException.class, () -> Transaction.of(List.of()));
    }
}
