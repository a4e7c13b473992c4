package org.idallocator.dropwizard.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lists the properties of a part of an answer that the public is told, by their names. All others are for operators
 * alone: what is added is told to nobody else until somebody lists it. A part without a list is told as a whole.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface PublicProperties {
    String[] value();
}
