/** The service: wiring, and nothing else. */
@NullMarked
package org.idallocator.service;

import org.jspecify.annotations.NullMarked;
