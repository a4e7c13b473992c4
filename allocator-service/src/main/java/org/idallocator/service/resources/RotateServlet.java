package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.BadRequestException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.api.RotationReport;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.Rotated;

/** {@code POST /tasks/rotate?scheme=NAME}: changes the slots that this replica holds of a scheme for others, without a gap. */
public final class RotateServlet extends OperatorCalls {
    private static final long serialVersionUID = 1L;

    public RotateServlet(IdAllocator allocator) {
        super(allocator);
    }

    @Override
    Answer call(IdAllocator replica, HttpServletRequest request) throws InterruptedException {
        Scheme<?> scheme = scheme(replica, request.getParameter("scheme"));
        Optional<List<Rotated>> rotated = replica.rotate(scheme, PATIENCE);
        return new Answer(
                rotated.isPresent(),
                line(scheme, rotated),
                new RotationReport(scheme.name(), rotated.isPresent(), rotated.orElse(List.of())));
    }

    /** What is said of a rotation; empty where ZooKeeper has not answered in time. */
    static String line(Scheme<?> scheme, Optional<List<Rotated>> rotated) {
        return rotated.map(slots -> "rotated: " + Rotated.inWords(slots))
                .orElse("rotating " + scheme.name()
                        + ": ZooKeeper has not answered yet; if it does, the slots are changed, and if it fails, all stays"
                        + " as it is: /leases tells");
    }

    private static Scheme<?> scheme(IdAllocator replica, String name) {
        if (name == null || name.isEmpty()) {
            throw new BadRequestException("scheme must be one of "
                    + Schemes.leased(replica.schemes()).stream()
                            .map(Scheme::name)
                            .collect(Collectors.joining(", "))
                    + ": it is missing");
        }
        return Schemes.leased(name, replica.schemes());
    }
}
