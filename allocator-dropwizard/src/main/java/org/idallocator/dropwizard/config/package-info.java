/** What an operator writes in the configuration file, and the settings that the allocator is given. */
@NullMarked
package org.idallocator.dropwizard.config;

import org.jspecify.annotations.NullMarked;
