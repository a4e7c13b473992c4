@NullMarked
package org.idallocator.service.console;

import org.jspecify.annotations.NullMarked;
