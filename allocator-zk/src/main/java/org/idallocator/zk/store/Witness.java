package org.idallocator.zk.store;

/**
 * By what whoever reads back knows that a transaction was applied: a node that no other transaction makes, or a text that no
 * other transaction writes.
 *
 * @param op which of the transaction's operations leaves it: the index of a {@link Store.Op.Create}, or of a {@link Store.Op.Write}
 *     that is conditional on a version
 * @param mark what the node's data contains then; empty where the node itself tells
 */
public record Witness(int op, String mark) {}
