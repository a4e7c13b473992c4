/** Tests of the admin port. */
@NullMarked
package org.idallocator.service.admin;

import org.jspecify.annotations.NullMarked;
