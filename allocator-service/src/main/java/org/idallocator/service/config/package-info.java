/** What an operator writes in the configuration file, and what the allocator is told of it. */
@NullMarked
package org.idallocator.service.config;

import org.jspecify.annotations.NullMarked;
