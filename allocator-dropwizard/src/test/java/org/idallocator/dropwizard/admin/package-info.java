/** Tests of the admin port. */
@NullMarked
package org.idallocator.dropwizard.admin;

import org.jspecify.annotations.NullMarked;
