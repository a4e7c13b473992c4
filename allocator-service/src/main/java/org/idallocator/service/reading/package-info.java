/** What a text of unknown origin may be: every scheme and form that reads it, the most plausible first. */
@NullMarked
package org.idallocator.service.reading;

import org.jspecify.annotations.NullMarked;
