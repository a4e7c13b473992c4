/** Tests of the files and pages that are shipped. */
@NullMarked
package org.idallocator.service.shipped;

import org.jspecify.annotations.NullMarked;
