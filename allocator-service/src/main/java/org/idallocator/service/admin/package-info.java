/**
 * The admin port: what stands in front of it and decides who may do what there, and the allocator's own servlets behind
 * that.
 */
@NullMarked
package org.idallocator.service.admin;

import org.jspecify.annotations.NullMarked;
