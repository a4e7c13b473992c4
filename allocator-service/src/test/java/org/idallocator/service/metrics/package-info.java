/** What single classes of the metrics do, without a service around them. */
@NullMarked
package org.idallocator.service.metrics;

import org.jspecify.annotations.NullMarked;
