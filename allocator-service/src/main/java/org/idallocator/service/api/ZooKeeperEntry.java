package org.idallocator.service.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonView;
import java.util.Optional;

/**
 * The ZooKeeper of a replica.
 *
 * @param embedded whether this replica's configuration names an embedded one, which serves one machine: IDs of other machines may be equal to its IDs
 * @param host the machine of an embedded one; left out for others, and for who is not told where replicas run
 * @param root the path below which the leases are. Replicas with the same ZooKeeper and root never issue equal IDs
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record ZooKeeperEntry(
        boolean embedded,
        @JsonView(Visibility.Operators.class) Optional<String> host,
        String root) {}
