/** Tests of the admin port of a running service. */
@NullMarked
package org.idallocator.service.admin;

import org.jspecify.annotations.NullMarked;
