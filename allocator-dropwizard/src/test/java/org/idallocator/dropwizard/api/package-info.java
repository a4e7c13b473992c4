/** Tests of the shapes of answers, and of who is told what. */
@NullMarked
package org.idallocator.dropwizard.api;

import org.jspecify.annotations.NullMarked;
