/**
 * IDs as attributes of Hibernate's entities, and drawn for them. {@link org.idallocator.hibernate.GeneratedId} is all
 * that an entity names; {@link org.idallocator.hibernate.AllocatorIdGenerator} says where the IDs come from.
 */
@NullMarked
package org.idallocator.hibernate;

import org.jspecify.annotations.NullMarked;
