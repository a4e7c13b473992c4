package org.idallocator.core.id;

/** A row in a table of bits that a type excludes, with the exact error. */
record Excluded(String message, long high, long low) {

    @Override
    public String toString() {
        return message;
    }
}
