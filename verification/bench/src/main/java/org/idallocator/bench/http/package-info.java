/** One ID over HTTP, beside ready bytes. */
@NullMarked
package org.idallocator.bench.http;

import org.jspecify.annotations.NullMarked;
