/** What a run says of itself: a page, the same in JSON, and a table of text. */
@NullMarked
package org.idallocator.faults.report;

import org.jspecify.annotations.NullMarked;
