/** The console: a page that shows the allocator to people, and what that page asks for. */
@NullMarked
package org.idallocator.dropwizard.console;

import org.jspecify.annotations.NullMarked;
