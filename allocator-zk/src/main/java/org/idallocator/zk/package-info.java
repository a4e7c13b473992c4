/**
 * Leases on slots, through ZooKeeper: {@link org.idallocator.zk.IdAllocator} is the way in. A package imports only what
 * is further down; {@code operator} and {@code lease} lie side by side and do not import each other:
 *
 * <ul>
 *   <li>{@code operator}: what people ask and do
 *   <li>{@code lease}: one replica's leases
 *   <li>{@code era}: which incarnation and which generation it is, their floors, and ZooKeeper's time; replicas and
 *       operators share it
 *   <li>{@code znode}: the tree and what its nodes hold
 *   <li>{@code store}: the few operations on ZooKeeper
 *   <li>{@code settings}: what a program configures
 * </ul>
 */
@NullMarked
package org.idallocator.zk;

import org.jspecify.annotations.NullMarked;
