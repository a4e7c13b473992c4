package org.idallocator.dropwizard.admin;

import com.google.common.base.Ascii;
import com.google.common.base.Strings;
import com.google.common.base.Suppliers;
import com.google.common.net.HostAndPort;
import com.google.common.net.InetAddresses;
import io.dropwizard.core.setup.Environment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.util.Callback;
import org.idallocator.dropwizard.config.AdminSection;
import org.idallocator.dropwizard.http.BodyLimit;
import org.idallocator.dropwizard.http.CommonHeaders;
import org.idallocator.dropwizard.problems.Problem;
import org.idallocator.dropwizard.problems.ProblemErrorHandler;
import org.idallocator.dropwizard.problems.ProblemType;
import org.idallocator.dropwizard.problems.Problems;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands in front of everything on the admin port, the program's own pages too, and decides who may do what there:
 *
 * <ul>
 *   <li>whoever asks addresses the port by a name of its own, and a browser asks for no page of elsewhere. Any page may
 *       have a browser ask any port that the browser reaches; and whoever owns a name may have it lead to this machine,
 *       so that the browser takes that page for one of this port. Own names are IP addresses, {@code localhost}, those
 *       of the machine itself, and configured ones
 *   <li>only who shows the port's token, or a client certificate that the connector has verified, has anything changed,
 *       which is whatever is not asked for by GET, HEAD or OPTIONS
 *   <li>nobody profiles the process
 *   <li>a body has {@link BodyLimit#BYTES} bytes at most
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class AdminGuard extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(AdminGuard.class);

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    /** How the machine calls itself. That may take a look-up, which strangers cannot have repeated: it is done once. */
    private static final Supplier<Set<String>> MACHINE = Suppliers.memoize(AdminGuard::machine);

    private final List<String> hosts;
    private final AdminToken token;

    private AdminGuard(List<String> hosts, AdminToken token) {
        this.hosts = hosts;
        this.token = token;
    }

    /**
     * Puts a guard in front of the admin port of a program.
     *
     * @param generatedFile where a token is kept that is made because none is configured; empty to make none
     */
    public static void install(Environment environment, AdminSection section, Optional<Path> generatedFile) {
        AdminToken token = AdminToken.of(section, generatedFile);
        LOG.info("what changes anything on the admin port needs its token, which is {}", token.description());
        environment.getAdminContext().insertHandler(new SizeLimitHandler(BodyLimit.BYTES, -1));
        environment.getAdminContext().insertHandler(new AdminGuard(section.hosts(), token));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        CommonHeaders.AGAINST_OTHER_PAGES.putInto(response);
        Problem refusal = refusal(request);
        if (refusal == null) {
            return super.handle(request, response, callback);
        }
        if (refusal.status() == ProblemType.UNAUTHORIZED.status()) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer realm=\"admin port\"");
        }
        ProblemErrorHandler.write(request, response, callback, refusal);
        return true;
    }

    /** Why nothing is done for a request; null where it passes. */
    private @Nullable Problem refusal(Request request) {
        String host = host(request);
        List<String> origins = request.getHeaders().getValuesList(HttpHeader.ORIGIN);
        if (!isOwnName(Ascii.toLowerCase(Strings.nullToEmpty(host)))) {
            return Problems.of(
                    ProblemType.FORBIDDEN,
                    "the admin port may be addressed by an IP address, as localhost, by this machine's own name, or by one of"
                            + " allocator.admin.hosts: " + (host == null ? "no Host" : host));
        } else if (origins.size() > 1 || !origins.stream().allMatch(origin -> isSameOrigin(origin, host))) {
            return Problems.of(
                    ProblemType.FORBIDDEN,
                    "pages of " + String.join(" and ", origins) + " may ask nothing of the admin port");
        } else if (Request.getPathInContext(request).startsWith("/pprof")) {
            return Problems.of(ProblemType.NOT_FOUND, "nobody profiles this process");
        }
        return READING.contains(request.getMethod()) ? null : refusalOfChange(request);
    }

    /**
     * Whom a request addresses. Since HTTP/2 clients leave out {@code Host}, and name the authority; before that, Jetty
     * makes one up where a client names none.
     */
    private static @Nullable String host(Request request) {
        String host = request.getHeaders().get(HttpHeader.HOST);
        HttpVersion version = request.getConnectionMetaData().getHttpVersion();
        return host == null && version.getVersion() >= HttpVersion.HTTP_2.getVersion()
                ? request.getHttpURI().getAuthority()
                : host;
    }

    /**
     * Whether a {@code Host} in lower case names this machine as nobody else can have named it; an empty one names
     * nothing.
     */
    private boolean isOwnName(String host) {
        try {
            String name = HostAndPort.fromString(host).getHost();
            return name.equals("localhost")
                    || InetAddresses.isInetAddress(name)
                    || hosts.contains(name)
                    || MACHINE.get().contains(name);
        } catch (IllegalArgumentException e) {
            LOG.debug("{} is no host", host, e);
            return false;
        }
    }

    private static Set<String> machine() {
        try {
            InetAddress machine = InetAddress.getLocalHost();
            return Set.copyOf(List.of(
                    Ascii.toLowerCase(machine.getHostName()), Ascii.toLowerCase(machine.getCanonicalHostName())));
        } catch (UnknownHostException e) {
            LOG.debug("the machine has no name", e);
            return Set.of();
        }
    }

    /** Whether a page of that origin was got under the {@code Host} that it now asks. */
    private static boolean isSameOrigin(String origin, @Nullable String host) {
        return origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host);
    }

    private @Nullable Problem refusalOfChange(Request request) {
        if (hasClientCertificate(request)
                || token.isShownBy(request.getHeaders().get(HttpHeader.AUTHORIZATION))) {
            return null;
        } else if (token.currentToken().isEmpty()) {
            return Problems.of(
                    ProblemType.FORBIDDEN,
                    "nothing can be changed on the admin port, as its token is " + token.description());
        }
        return Problems.of(
                ProblemType.UNAUTHORIZED,
                "this needs the admin port's token, as in Authorization: Bearer TOKEN; it is " + token.description());
    }

    /** Whether the connector has seen and verified a certificate of the client. */
    private static boolean hasClientCertificate(Request request) {
        return request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE) instanceof EndPoint.SslSessionData tls
                && tls.peerCertificates() != null;
    }
}
