/**
 * Jetty handlers of the service alone, in front of the servlets: the fast path for one ID, and the admission of all
 * other requests.
 */
@NullMarked
package org.idallocator.service.server;

import org.jspecify.annotations.NullMarked;
