/** What tests of the bundle and of the service share: a client, and a source of IDs that obeys them. */
@NullMarked
package org.idallocator.dropwizard.testing;

import org.jspecify.annotations.NullMarked;
