/** What {@code mvn install} gives to programs outside of this build. */
@NullMarked
package org.idallocator.library;

import org.jspecify.annotations.NullMarked;
