/** What a program configures, and the terms by which replicas with these settings reserve. */
@NullMarked
package org.idallocator.zk.settings;

import org.jspecify.annotations.NullMarked;
