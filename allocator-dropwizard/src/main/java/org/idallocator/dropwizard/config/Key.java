package org.idallocator.dropwizard.config;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A key of the configuration file. A key that is left out, or stands without a value, has its default. Entries of a
 * list and of a map that have no value are ignored.
 */
@JacksonAnnotationsInside
@JsonProperty
@JsonSetter(nulls = Nulls.SKIP, contentNulls = Nulls.SKIP)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Key {}
