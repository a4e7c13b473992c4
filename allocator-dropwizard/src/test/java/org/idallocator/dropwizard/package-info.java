/** Tests of how programs are set up. */
@NullMarked
package org.idallocator.dropwizard;

import org.jspecify.annotations.NullMarked;
