package org.idallocator.service.ids;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.scheme.Form;
import org.idallocator.core.scheme.Parameter;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.decode.Forms;

/**
 * What one client asks of a scheme. Immutable, thread-safe.
 *
 * @param scheme the scheme
 * @param count the number of IDs, 1 or more; of a transaction, the number of its objects
 * @param listed whether the client named a count: then the answer is a list, even of one ID
 * @param variant what the client asks for beyond a count
 * @param form the form in which the IDs are written
 */
public record IdRequest<T extends Id>(Scheme<T> scheme, int count, boolean listed, Variant variant, Form<T> form) {
    /** The largest count whose answer is made in memory, and given as a whole or not at all. A larger one is streamed. */
    public static final int LARGEST_WHOLE = 10_000;

    private static final String COUNT = "count";
    private static final String FORM = "form";

    /** What these parameters ask for. Throws {@link IllegalArgumentException} naming the first one that is bad. */
    public static <T extends Id> IdRequest<T> of(
            Scheme<T> scheme, Map<String, List<String>> values, MaxCounts maxCounts) {
        Parameters parameters = new Parameters(values, names(scheme));
        Variant variant = scheme.parameter()
                .flatMap(own -> parameters.value(own.name()).map(own.parse()))
                .orElse(scheme.defaultVariant());
        Optional<Integer> count = parameters.value(COUNT).map(text -> maxCounts.count(scheme, text, variant));
        Form<T> form = Forms.named(scheme, parameters.value(FORM).orElse(Form.CANONICAL));
        return new IdRequest<>(scheme, count.orElse(1), count.isPresent(), variant, form);
    }

    private static List<String> names(Scheme<?> scheme) {
        Stream<String> own = scheme.parameter().stream().map(Parameter::name);
        return Stream.of(Stream.of(COUNT), own, Stream.of(FORM))
                .flatMap(names -> names)
                .toList();
    }

    /**
     * Draws all IDs, up to {@code chunkIds} at a time, in constant memory. A transaction is one draw, which gives its IDs one by one.
     * Throws what {@link IdGenerator} throws; the IDs that the sink received until then are used up.
     *
     * @param afterChunk runs whenever some IDs were drawn: after so many, and in each tick that gave fewer
     */
    public void draw(IdGenerator<?> generator, int chunkIds, IdSink sink, Runnable afterChunk) {
        IdGenerator<?> ofVariant = generator.with(variant);
        int chunk = transaction() ? count : chunkIds;
        int left = count;
        while (left > 0) {
            left -= ofVariant.nextUpTo(Math.min(left, chunk), sink);
            afterChunk.run();
        }
    }

    /** Whether the ID of a whole transaction comes before those of its objects. */
    boolean transaction() {
        return scheme.grouped(variant);
    }

    /** The number of IDs in the answer. */
    public int ids() {
        return transaction() ? count + 1 : count;
    }

    /** How many numbers of a scheme's ticks this takes: a transaction is one draw, whatever its objects. */
    long draws() {
        return transaction() ? 1 : count;
    }

    /** Whether there are so many IDs that the answer must be written while they are drawn. */
    public boolean streamed() {
        return count > LARGEST_WHOLE;
    }

    /** Writes the IDs in their form. */
    public IdEncoder encoder() {
        return IdEncoder.of(scheme, form);
    }
}
