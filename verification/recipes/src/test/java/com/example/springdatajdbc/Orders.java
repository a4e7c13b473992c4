package com.example.springdatajdbc;

import java.util.List;
import org.idallocator.core.id.Sno;
import org.springframework.data.repository.CrudRepository;

/** As the page has it in words. */
interface Orders extends CrudRepository<Order, Sno> {
    List<Order> findByIdBetween(Sno from, Sno to);
}
