package org.idallocator.service.openapi;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.jackson.ModelResolver;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.api.Catalogue;
import org.idallocator.service.api.Discretion;
import org.idallocator.service.api.FieldValue;
import org.idallocator.service.api.Inspection;
import org.idallocator.service.api.LeaseList;
import org.idallocator.service.problems.Problem;
import org.jspecify.annotations.Nullable;

/** The schemas of the answers that are records, read from these. */
final class Shapes {
    static final JsonSchema CATALOGUE = Schemas.named("Catalogue");
    static final JsonSchema INSPECTION = Schemas.named("Inspection");
    static final JsonSchema LEASES = Schemas.named("LeaseList");
    static final JsonSchema PROBLEM = Schemas.named("Problem");

    /** Of any OpenAPI document. */
    static final JsonSchema DESCRIPTION = Schemas.typed("object");

    private static final List<Class<?>> ANSWERS =
            List.of(Catalogue.class, Inspection.class, LeaseList.class, Problem.class);

    private static final JsonSchema REASONS = Schemas.oneOf(
            Arrays.stream(FenceReason.values()).map(FenceReason::code).toList());
    private static final String VALUE = "value";
    private static final String REASON = "reason";

    private Shapes() {}

    /** Declares the shapes of all answers, and of what is in them. */
    static void addTo(Components components) {
        ModelConverters converters = new ModelConverters(true);
        converters.addConverter(new ModelResolver(AnswerMapper.get().copy()).openapi31(true));
        Map<String, Class<?>> records = records();
        for (Class<?> answer : ANSWERS) {
            converters.readAll(new AnnotatedType(answer)).forEach((name, schema) -> {
                complete(schema, records.get(name));
                components.addSchemas(name, schema);
            });
        }
    }

    /** All records of the answers, by the names of their schemas. */
    private static Map<String, Class<?>> records() {
        return ANSWERS.stream()
                .flatMap(Shapes::within)
                .distinct()
                .collect(Collectors.toMap(Class::getSimpleName, Function.identity()));
    }

    /** A record, and those in it. */
    private static Stream<Class<?>> within(Class<?> record) {
        return Stream.concat(
                Stream.of(record),
                Arrays.stream(record.getRecordComponents())
                        .flatMap(component -> classes(component.getGenericType()))
                        .filter(Class::isRecord)
                        .flatMap(Shapes::within));
    }

    private static Stream<Class<?>> classes(Type type) {
        if (type instanceof ParameterizedType generic) {
            return Arrays.stream(generic.getActualTypeArguments()).flatMap(Shapes::classes);
        }
        return type instanceof Class<?> plain ? Stream.of(plain) : Stream.empty();
    }

    /** Adds what the library does not read: which properties are always there, which may be null, and which values some have. */
    private static void complete(Schema<?> schema, @Nullable Class<?> record) {
        if (record == null) {
            throw new IllegalStateException("no record has the shape " + schema.getName());
        }
        Map<String, RecordComponent> components = Arrays.stream(record.getRecordComponents())
                .collect(Collectors.toMap(RecordComponent::getName, Function.identity()));
        for (String name : List.copyOf(schema.getProperties().keySet())) {
            RecordComponent component = components.get(name);
            if (Discretion.isToldToStrangers(record, name) && (component == null || !isLeftOut(component))) {
                schema.addRequiredItem(name);
            }
            if (component != null && !isLeftOut(component) && isNullable(component)) {
                schema.addProperty(name, orNull(component));
            }
        }
        if (record == FieldValue.class) {
            JsonSchema number = Schemas.typed("integer");
            number.addType("string");
            number.setDescription("An unsigned number; a string of its digits when it does not fit 53 bits");
            schema.addProperty(VALUE, number);
        }
        if (components.containsKey(REASON)) {
            schema.addProperty(REASON, REASONS);
        }
    }

    /** Whether the JSON has no such property when there is nothing to say. */
    private static boolean isLeftOut(RecordComponent component) {
        return component.getType() == Optional.class
                || component.getAccessor().isAnnotationPresent(JsonInclude.class)
                || (isNullable(component) && component.getDeclaringRecord().isAnnotationPresent(JsonInclude.class));
    }

    private static boolean isNullable(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    private static JsonSchema orNull(RecordComponent component) {
        JsonSchema either = new JsonSchema();
        either.addOneOfItem(Schemas.named(component.getType().getSimpleName()));
        either.addOneOfItem(Schemas.typed("null"));
        return either;
    }
}
