/** Tests of the commands, as somebody types them. */
@NullMarked
package org.idallocator.service.commands;

import org.jspecify.annotations.NullMarked;
