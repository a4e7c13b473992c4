package org.idallocator.service.config;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A key of the configuration file. Left out or without a value, as a variable that is not set leaves it, it has its default. */
@JacksonAnnotationsInside
@JsonProperty
@JsonSetter(nulls = Nulls.SKIP)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@interface Key {}
