package com.example.springdatajdbc;

import org.idallocator.core.id.Sno;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/** As the page has it in words. */
@Table("ORDERS")
record Order(@Id Sno id, String what) {}
