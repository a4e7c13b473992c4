/**
 * The allocator of a Spring Boot program. What is configured is told below {@code idallocator}; {@code docs/library.md}
 * has the keys.
 */
@NullMarked
package org.idallocator.spring;

import org.jspecify.annotations.NullMarked;
