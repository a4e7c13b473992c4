package org.idallocator.core.generator;

/**
 * What a draw asks of its scheme beyond a count: {@link SnoGenerator#metabyte}, {@link MuidGenerator#TRANSACTION}, {@link
 * GidGenerator#type}. It is fixed before anything is drawn: programs give it to {@link IdGenerator#with}.
 *
 * @param number says to the scheme's generator which of its variants this is
 */
public record Variant(int number) {
    /** For schemes that have no variants. To sno it is metabyte 0, to muid {@link MuidGenerator#OBJECTS}. */
    public static final Variant NONE = new Variant(0);
}
