package org.idallocator.dropwizard.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lists the properties of a type of answer that everybody may read, by their names in JSON. All its other properties
 * are for operators alone, so a new property is told to nobody else until it is listed. A type without this annotation
 * is shown as a whole.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface PublicProperties {
    String[] value();
}
