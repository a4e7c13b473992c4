@NullMarked
package org.idallocator.dropwizard.logging;

import org.jspecify.annotations.NullMarked;
