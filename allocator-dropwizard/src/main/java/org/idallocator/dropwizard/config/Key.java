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
 * A key of the configuration file. A key that is left out has its default, and so has a key without a value. An entry
 * of a list, or a key of a map, that has no value is not there.
 */
@JacksonAnnotationsInside
@JsonProperty
@JsonSetter(nulls = Nulls.SKIP, contentNulls = Nulls.SKIP)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Key {}
