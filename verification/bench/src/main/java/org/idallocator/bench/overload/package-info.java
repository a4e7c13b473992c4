/** What the service answers while others ask for more than it can give. */
@NullMarked
package org.idallocator.bench.overload;

import org.jspecify.annotations.NullMarked;
