/** What is answered, a record for each: the shapes of the answers over HTTP, and what commands say, too. */
@NullMarked
package org.idallocator.dropwizard.api;

import org.jspecify.annotations.NullMarked;
