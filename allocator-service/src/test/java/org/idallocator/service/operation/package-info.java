/** Tests of what operators see of a running service. */
@NullMarked
package org.idallocator.service.operation;

import org.jspecify.annotations.NullMarked;
