package com.example.shop;

import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import java.io.Serializable;
import java.util.Objects;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;

/** A row whose key is two IDs that the program gives. */
@Entity
public class Line {
    @EmbeddedId
    public Key key;

    /** The order and the product. */
    @Embeddable
    public static class Key implements Serializable {
        private static final long serialVersionUID = 1L;

        public Sno orderId;
        public Uid60 product;

        protected Key() {}

        public Key(Sno orderId, Uid60 product) {
            this.orderId = orderId;
            this.product = product;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && orderId.equals(key.orderId) && product.equals(key.product);
        }

        @Override
        public int hashCode() {
            return Objects.hash(orderId, product);
        }
    }
}
