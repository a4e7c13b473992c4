package com.example.shop;

import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import java.io.Serializable;
import java.util.Objects;
import org.idallocator.core.id.Sno;
import org.idallocator.hibernate.GeneratedId;

/** A row whose key is half given and half drawn. */
@Entity
public class Shelf {
    @EmbeddedId
    public Key key = new Key();

    /** The room, and what is drawn. */
    @Embeddable
    public static class Key implements Serializable {
        private static final long serialVersionUID = 1L;

        public String room = "cellar";

        @GeneratedId
        public Sno number;

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && room.equals(key.room) && Objects.equals(number, key.number);
        }

        @Override
        public int hashCode() {
            return Objects.hash(room, number);
        }
    }
}
