package org.idallocator.service.guard;

import io.dropwizard.core.setup.Environment;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.NotAuthorizedException;
import jakarta.ws.rs.NotFoundException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.util.Callback;
import org.idallocator.service.config.AdminSection;
import org.idallocator.service.problems.RefusedRequest;
import org.idallocator.service.problems.ServerProblems;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands in front of everything on the admin port, the program's own pages too, and decides who may do what there:
 *
 * <ul>
 *   <li>whoever asks addresses the port by a name of its own ({@link OwnNames}), and a browser asks for no page of elsewhere
 *   <li>only who shows the {@link AdminToken}, or a client certificate that the connector has verified, has anything changed, which
 *       is whatever is not asked for by GET, HEAD or OPTIONS
 *   <li>nobody profiles the process
 *   <li>a body has {@link #LARGEST_BODY} bytes at most
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class AdminGuard extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(AdminGuard.class);

    static final int LARGEST_BODY = 8_192;

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
    private static final String PROFILER = "/pprof";
    private static final String CHALLENGE = "Bearer realm=\"admin port\"";

    /** No page of elsewhere shows or reads what is here. */
    private static final Map<String, String> HEADERS = Map.of(
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Resource-Policy", "same-origin");

    private final OwnNames names;
    private final AdminToken token;

    private AdminGuard(OwnNames names, AdminToken token) {
        this.names = names;
        this.token = token;
    }

    /**
     * Puts a guard in front of the admin port of a program.
     *
     * @param made where a token is kept that is made because none is configured; empty to make none
     */
    public static void install(Environment environment, AdminSection section, Optional<Path> made) {
        AdminToken token = AdminToken.of(section, made);
        LOG.info("what changes anything on the admin port needs its token, which is {}", token.place());
        environment.getAdminContext().insertHandler(new SizeLimitHandler(LARGEST_BODY, -1));
        environment.getAdminContext().insertHandler(new AdminGuard(new OwnNames(section.hosts()), token));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        HEADERS.forEach((name, value) -> response.getHeaders().put(name, value));
        try {
            require(request);
        } catch (NotAuthorizedException e) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, CHALLENGE);
            ServerProblems.write(RefusedRequest.because(e).problem(), request, response, callback);
            return true;
        } catch (ForbiddenException | NotFoundException e) {
            ServerProblems.write(RefusedRequest.because(e).problem(), request, response, callback);
            return true;
        }
        return super.handle(request, response, callback);
    }

    private void require(Request request) {
        requireOwnPage(request);
        if (Request.getPathInContext(request).startsWith(PROFILER)) {
            throw new NotFoundException("nobody profiles this process");
        }
        if (!READING.contains(request.getMethod())) {
            requireOperator(request);
        }
    }

    private void requireOwnPage(Request request) {
        String host = request.getHeaders().get(HttpHeader.HOST);
        if (!names.include(host)) {
            throw new ForbiddenException(
                    "the admin port may be addressed by an IP address, as localhost, by this machine's own"
                            + " name, or by one of allocator.admin.hosts: " + (host == null ? "no Host" : host));
        }
        List<String> origins = request.getHeaders().getValuesList(HttpHeader.ORIGIN);
        if (origins.size() > 1 || origins.stream().anyMatch(origin -> !OwnNames.isSame(origin, host))) {
            throw new ForbiddenException(
                    "pages of " + String.join(" and ", origins) + " may ask nothing of the admin port");
        }
    }

    private void requireOperator(Request request) {
        if (isCertified(request) || token.isShownBy(request.getHeaders().get(HttpHeader.AUTHORIZATION))) {
            return;
        }
        if (!token.exists()) {
            throw new ForbiddenException("nothing can be changed on the admin port, as its token is " + token.place());
        }
        throw new NotAuthorizedException(
                "this needs the admin port's token, as in Authorization: Bearer TOKEN; it is " + token.place(),
                CHALLENGE);
    }

    /** Whether the connector has seen and verified a certificate of the client. */
    private static boolean isCertified(Request request) {
        return request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE) instanceof EndPoint.SslSessionData tls
                && tls.peerCertificates() != null
                && tls.peerCertificates().length > 0;
    }
}
