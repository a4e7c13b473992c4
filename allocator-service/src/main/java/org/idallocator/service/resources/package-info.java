/** The routes. Each reads what was asked, has it done and says what came of it. */
@NullMarked
package org.idallocator.service.resources;

import org.jspecify.annotations.NullMarked;
