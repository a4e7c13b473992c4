/** Tests of how a running service hands out IDs. */
@NullMarked
package org.idallocator.service.drawing;

import org.jspecify.annotations.NullMarked;
