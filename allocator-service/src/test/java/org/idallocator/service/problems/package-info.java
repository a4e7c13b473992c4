/** Tests of how exceptions are told to callers and to the log. */
@NullMarked
package org.idallocator.service.problems;

import org.jspecify.annotations.NullMarked;
