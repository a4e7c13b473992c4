package org.idallocator.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * One object of what the original generators did: a whole file, or any object in it. A list that a file leaves out is
 * empty, because not every scheme has every list. Any other missing field is an error. The README beside the files says
 * what they mean.
 */
public final class Vectors {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final JsonNode json;

    private Vectors(JsonNode json) {
        this.json = json;
    }

    /** The file of a scheme, such as {@code sno}. */
    public static Vectors of(String scheme) {
        try (InputStream file = Vectors.class.getResourceAsStream("/vectors/" + scheme + ".json")) {
            return new Vectors(JSON.readTree(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public boolean has(String field) {
        return json.has(field);
    }

    public Vectors object(String field) {
        return new Vectors(json.required(field));
    }

    /** The objects of a list, in order; none if there is no such list. */
    public Stream<Vectors> objects(String list) {
        return nodes(list).map(Vectors::new);
    }

    public List<String> texts(String list) {
        return nodes(list).map(JsonNode::textValue).toList();
    }

    public LongStream numbers(String list) {
        return nodes(list).mapToLong(Vectors::number);
    }

    public String text(String field) {
        return json.required(field).textValue();
    }

    /** An integer; the file has a decimal string where the number does not fit 53 bits. */
    public long number(String field) {
        return number(json.required(field));
    }

    /** An integer that must fit an {@code int}. */
    public int integer(String field) {
        return Math.toIntExact(number(field));
    }

    private Stream<JsonNode> nodes(String list) {
        return StreamSupport.stream(json.path(list).spliterator(), false);
    }

    private static long number(JsonNode node) {
        return node.isTextual() ? Long.parseLong(node.textValue()) : node.longValue();
    }

    /** The JSON, for the names of parameterized tests. */
    @Override
    public String toString() {
        return json.toString();
    }
}
