/**
 * Leases on slots, through ZooKeeper: {@link org.idallocator.zk.IdAllocator} is the way in. The rooms below import only downwards:
 *
 * <ul>
 *   <li>{@code operator}: what people ask and do
 *   <li>{@code lease}: one replica's leases
 *   <li>{@code epoch}: which incarnation and which generation it is, where their floors are, and what time ZooKeeper has
 *   <li>{@code node}: the tree and what its nodes hold
 *   <li>{@code store}: the few operations on ZooKeeper
 *   <li>{@code settings}: what a program configures
 * </ul>
 */
@NullMarked
package org.idallocator.zk;

import org.jspecify.annotations.NullMarked;
