/** Tests of how the process ends. */
@NullMarked
package org.idallocator.service.process;

import org.jspecify.annotations.NullMarked;
