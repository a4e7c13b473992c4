@NullMarked
package org.idallocator.service.cluster;

import org.jspecify.annotations.NullMarked;
