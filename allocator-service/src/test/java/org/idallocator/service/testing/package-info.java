/** What the service's tests share: a running service, a client, and a source of IDs that obeys them. */
@NullMarked
package org.idallocator.service.testing;

import org.jspecify.annotations.NullMarked;
