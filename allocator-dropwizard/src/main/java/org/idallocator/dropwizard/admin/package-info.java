/**
 * The admin port: what stands in front of it and decides who may do what there, and the allocator's own servlets behind
 * that.
 */
@NullMarked
package org.idallocator.dropwizard.admin;

import org.jspecify.annotations.NullMarked;
