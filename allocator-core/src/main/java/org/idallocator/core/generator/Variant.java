package org.idallocator.core.generator;

/**
 * What a draw asks of its scheme beyond a count: {@link SnoGenerator#metabyte}, {@link MuidGenerator#TRANSACTION},
 * {@link GidGenerator#type}. It is fixed before anything is drawn: programs give it to {@link IdGenerator#with}.
 *
 * @param parameter the name of the scheme's parameter, such as {@code metabyte}
 * @param number the variant's number among those of the parameter; not checked here, so use the three above
 */
public record Variant(String parameter, int number) {
    /**
     * For schemes that have no parameter. To sno it is metabyte 0, to muid {@link MuidGenerator#OBJECTS}, to gid a
     * volume.
     */
    public static final Variant NONE = new Variant("", 0);

    /**
     * Does nothing where a generator with this parameter can draw the variant.
     *
     * @param own the name of the generator's parameter; empty where it has none
     * @throws IllegalArgumentException when this is a value of another parameter, as a metabyte is to anything but sno
     */
    void requireOf(String own) {
        if (!parameter.isEmpty() && !parameter.equals(own)) {
            throw new IllegalArgumentException(
                    "IDs of this scheme have no " + parameter + (own.isEmpty() ? "" : "; they have a " + own));
        }
    }
}
