/** Tests of how exceptions are told to callers and to the log. */
@NullMarked
package org.idallocator.dropwizard.problems;

import org.jspecify.annotations.NullMarked;
