/** The console as people use it: in Chromium, on real replicas, with keyboard, pointer and finger. */
@NullMarked
package org.idallocator.browser;

import org.jspecify.annotations.NullMarked;
