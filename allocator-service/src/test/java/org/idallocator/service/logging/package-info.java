@NullMarked
package org.idallocator.service.logging;

import org.jspecify.annotations.NullMarked;
