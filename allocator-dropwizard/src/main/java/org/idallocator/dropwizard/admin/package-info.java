/** The admin port: the guard that decides who may do what there, and the allocator's own servlets behind the guard. */
@NullMarked
package org.idallocator.dropwizard.admin;

import org.jspecify.annotations.NullMarked;
