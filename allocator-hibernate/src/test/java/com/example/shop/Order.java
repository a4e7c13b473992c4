package com.example.shop;

import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.util.HashSet;
import java.util.Set;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.hibernate.GeneratedId;

/** An entity as the library's page shows it, and what is around one. */
@Entity
@Table(name = "orders")
public class Order {
    @Id
    @GeneratedId
    public Sno id;

    @GeneratedId
    @JdbcTypeCode(SqlTypes.VARCHAR)
    public Uid60 shown;

    public String what = "tea";

    @ManyToOne(fetch = FetchType.LAZY)
    public Customer customer;

    @ManyToOne(fetch = FetchType.LAZY)
    public Order follows;

    @ElementCollection
    public Set<Muid> changes = new HashSet<>();
}
