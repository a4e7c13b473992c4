/** Tests of how the process ends. */
@NullMarked
package org.idallocator.dropwizard.process;

import org.jspecify.annotations.NullMarked;
