package com.example;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.idallocator.core.id.Sno;
import org.idallocator.hibernate.GeneratedId;

/** An order, which is given its ID when it is saved. */
@Entity
@Table(name = "orders")
public class Order {
    @Id
    @GeneratedId
    private Sno id;

    private String what;

    protected Order() {}

    Order(String what) {
        this.what = what;
    }

    public Sno getId() {
        return id;
    }

    public String getWhat() {
        return what;
    }
}
