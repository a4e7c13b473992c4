package com.example.shop;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.hibernate.GeneratedId;

/** Has IDs in attributes of types that are older than this library. */
@Entity
public class Customer {
    @Id
    @GeneratedId(Uid60.class)
    public Long number;

    @GeneratedId(Sno.class)
    public String shown;

    @OneToMany(mappedBy = "customer")
    public List<Order> orders = new ArrayList<>();
}
