/** The shapes of the answers: records, one each. */
@NullMarked
package org.idallocator.service.api;

import org.jspecify.annotations.NullMarked;
