/** What a program that is not part of this build gets. */
@NullMarked
package org.idallocator.library;

import org.jspecify.annotations.NullMarked;
