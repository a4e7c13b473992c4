@NullMarked
package org.idallocator.service.config;

import org.jspecify.annotations.NullMarked;
