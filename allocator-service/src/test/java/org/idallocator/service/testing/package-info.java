/** What the service's tests share: a running service, a client, a source that does as it is told. */
@NullMarked
package org.idallocator.service.testing;

import org.jspecify.annotations.NullMarked;
