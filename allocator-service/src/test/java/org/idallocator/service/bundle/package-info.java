/** Tests of how programs are set up. */
@NullMarked
package org.idallocator.service.bundle;

import org.jspecify.annotations.NullMarked;
