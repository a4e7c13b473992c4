/** How fast everything is. Each figure stands beside one of something known, measured in the same run: ratios count. */
@NullMarked
package org.idallocator.bench;

import org.jspecify.annotations.NullMarked;
