package com.example;

import java.util.List;
import org.idallocator.core.id.Sno;
import org.springframework.data.jpa.repository.JpaRepository;

/** All orders, in the order of their IDs. */
interface Orders extends JpaRepository<Order, Sno> {
    List<Order> findByIdGreaterThanEqualAndIdLessThanOrderById(Sno from, Sno to);
}
