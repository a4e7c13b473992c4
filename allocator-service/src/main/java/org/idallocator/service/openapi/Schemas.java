package org.idallocator.service.openapi;

import io.swagger.v3.oas.models.media.JsonSchema;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.idallocator.core.scheme.Allowed;

/** Schemas of JSON values. */
final class Schemas {
    private static final Set<String> TRUE_OR_FALSE = Set.of("true", "false");

    private Schemas() {}

    /** Of any value of a type of JSON. */
    static JsonSchema typed(String type) {
        JsonSchema schema = new JsonSchema();
        schema.addType(type);
        return schema;
    }

    /** Of what is declared once, under a name. */
    static JsonSchema named(String name) {
        JsonSchema schema = new JsonSchema();
        schema.set$ref("#/components/schemas/" + name);
        return schema;
    }

    /** Of one text. */
    static JsonSchema exactly(String text) {
        JsonSchema schema = typed("string");
        schema.setConst(text);
        return schema;
    }

    /** Of some texts and no others. */
    static JsonSchema oneOf(List<String> texts) {
        JsonSchema schema = typed("string");
        texts.forEach(schema::addEnumItemObject);
        return schema;
    }

    /** Of whole numbers between bounds, both inclusive. */
    static JsonSchema range(long least, long most) {
        JsonSchema schema = typed("integer");
        schema.setMinimum(BigDecimal.valueOf(least));
        schema.setMaximum(BigDecimal.valueOf(most));
        return schema;
    }

    /** Of what a parameter may be. Of true and false, JSON has a type. */
    static JsonSchema of(Allowed values) {
        if (values instanceof Allowed.Range range) {
            return range(range.least(), range.most());
        }
        List<String> words = ((Allowed.OneOf) values).values();
        return TRUE_OR_FALSE.containsAll(words) ? typed("boolean") : oneOf(words);
    }

    /** A value of such a parameter, as JSON has it; {@code word} is how it is written in a query. */
    static Object value(Allowed values, String word) {
        return switch (of(values).getTypes().iterator().next()) {
            case "boolean" -> Boolean.valueOf(word);
            case "integer" -> Integer.valueOf(word);
            default -> word;
        };
    }

    static JsonSchema listOf(JsonSchema items) {
        JsonSchema schema = typed("array");
        schema.setItems(items);
        return schema;
    }

    /** Of objects that have all these properties and no others. */
    static JsonSchema object(Map<String, JsonSchema> properties) {
        JsonSchema schema = options(properties);
        properties.keySet().forEach(schema::addRequiredItem);
        return schema;
    }

    /** Of objects that may have these properties and no others. */
    static JsonSchema options(Map<String, JsonSchema> properties) {
        JsonSchema schema = typed("object");
        properties.forEach(schema::addProperty);
        schema.setAdditionalProperties(false);
        return schema;
    }
}
