/**
 * How fast everything is. Each figure stands beside one of something known, measured in the same run: ratios count.
 * Here are the way in, all goals, and how figures, ratios and goals are printed; what is measured is in the packages
 * below.
 */
@NullMarked
package org.idallocator.bench;

import org.jspecify.annotations.NullMarked;
