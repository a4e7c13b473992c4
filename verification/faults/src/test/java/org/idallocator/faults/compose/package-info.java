/** The cluster of docker-compose.yml, while replicas and ZooKeepers come and go. */
@NullMarked
package org.idallocator.faults.compose;

import org.jspecify.annotations.NullMarked;
