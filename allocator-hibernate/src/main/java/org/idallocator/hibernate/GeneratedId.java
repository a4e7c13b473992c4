package org.idallocator.hibernate;

import static java.lang.annotation.ElementType.FIELD;
import static java.lang.annotation.ElementType.METHOD;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.ValueGenerationType;
import org.idallocator.core.id.Id;

/**
 * An attribute that gets an ID when its entity is inserted, whether it is the entity's {@code @Id} or not:
 * {@code @Id @GeneratedId Sno id}.
 *
 * <p>An {@code @Id} is drawn by {@code persist}, other attributes when the row is written. An attribute that has a
 * value by then keeps it.
 *
 * <p>{@link AllocatorIdGenerator} says where the IDs come from, and what is thrown where none can be drawn.
 */
@IdGeneratorType(AllocatorIdGenerator.class)
@ValueGenerationType(generatedBy = AllocatorIdGenerator.class)
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({FIELD, METHOD})
public @interface GeneratedId {
    /**
     * The type of ID that is drawn. May be left out where the attribute is of that type. An attribute of type
     * {@code String} or {@code byte[]} takes any, {@code UUID} takes all of 16 bytes and {@code Sno}, {@code Long}
     * takes {@code Uid60} and {@code EightByteId}, and {@code Gid} takes its three types.
     */
    Class<? extends Id> value() default Id.class;
}
