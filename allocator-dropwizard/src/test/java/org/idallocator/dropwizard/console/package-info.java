@NullMarked
package org.idallocator.dropwizard.console;

import org.jspecify.annotations.NullMarked;
