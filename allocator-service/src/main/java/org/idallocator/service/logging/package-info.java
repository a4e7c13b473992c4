/** How the log is written, beyond what Dropwizard offers. */
@NullMarked
package org.idallocator.service.logging;

import org.jspecify.annotations.NullMarked;
