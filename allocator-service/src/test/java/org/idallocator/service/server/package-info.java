/** What stands in front of the servlets, under clients that leave, linger and flood. */
@NullMarked
package org.idallocator.service.server;

import org.jspecify.annotations.NullMarked;
