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
import javax.security.auth.x500.X500Principal;
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
 * Stands in front of everything on the admin port, also of the program's own pages, and decides who may do what there:
 *
 * <ul>
 *   <li>A request must address the port by one of the port's own names, and a page of another origin may ask nothing.
 *       Any page can have a browser ask any port that the browser reaches. Whoever owns a name can let it lead to this
 *       machine, and the browser then takes that page for one of this port. Own names are IP addresses,
 *       {@code localhost}, the machine's own names, and configured ones
 *   <li>A request that changes something must show the port's token, or come with a client certificate that the
 *       connector has verified. Every request but GET, HEAD and OPTIONS counts as changing something
 *   <li>Nobody profiles the process
 *   <li>A body has {@link BodyLimit#BYTES} bytes at most
 * </ul>
 *
 * <p>The log tells of each request that would change something, see {@link ActLog}.
 *
 * <p>Thread-safe.
 */
public final class AdminGuard extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(AdminGuard.class);

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    /**
     * The machine's own names, in lower case. They are looked up once, so that strangers cannot cause a look-up for
     * each request.
     */
    private static final Supplier<Set<String>> MACHINE = Suppliers.memoize(AdminGuard::machine);

    private final List<String> hosts;
    private final AdminToken token;
    private final ActLog acts;

    /** A guard that lets in requests for {@code hosts}, beside those for the machine's own names. */
    AdminGuard(List<String> hosts, AdminToken token, ActLog acts) {
        this.hosts = hosts;
        this.token = token;
        this.acts = acts;
    }

    /**
     * Puts a guard in front of the admin port of a program.
     *
     * @param generatedFile the file for a token that is generated where none is configured; empty to generate none
     * @throws TokenFileException when a token has to be generated and cannot be written
     */
    public static void install(Environment environment, AdminSection section, Optional<Path> generatedFile) {
        AdminToken token = AdminToken.of(section, generatedFile);
        LOG.info("what changes anything on the admin port needs its token, which is {}", token.description());
        environment.getAdminContext().insertHandler(new SizeLimitHandler(BodyLimit.BYTES, -1));
        environment.getAdminContext().insertHandler(new AdminGuard(section.hosts(), token, new ActLog()));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        CommonHeaders.AGAINST_OTHER_PAGES.putInto(response);
        Problem refusal = refusal(request);
        if (refusal == null) {
            if (!isReading(request)) {
                acts.passed(request, response, clientSubject(request));
            }
            return super.handle(request, response, callback);
        }
        if (!isReading(request)) {
            acts.refused(request, refusal.status(), clientSubject(request));
        }
        if (refusal.kind() == ProblemType.UNAUTHORIZED) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer realm=\"admin port\"");
        }
        ProblemErrorHandler.write(request, response, callback, refusal);
        return true;
    }

    /** Why a request is refused; null where the request passes. */
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
        return isReading(request) ? null : refusalOfChange(request);
    }

    private static boolean isReading(Request request) {
        return READING.contains(request.getMethod());
    }

    /**
     * The host that a request addresses. A client of HTTP/2 or later may leave out {@code Host}, and names the
     * authority instead. In earlier versions only {@code Host} counts, because Jetty makes up an authority where a
     * client names none.
     */
    private static @Nullable String host(Request request) {
        String host = request.getHeaders().get(HttpHeader.HOST);
        HttpVersion version = request.getConnectionMetaData().getHttpVersion();
        return host == null && version.getVersion() >= HttpVersion.HTTP_2.getVersion()
                ? request.getHttpURI().getAuthority()
                : host;
    }

    /**
     * Whether a {@code Host} in lower case is one of this port's own names, which nobody else can let lead here. An
     * empty one is not.
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

    /** Whether an origin is the one of the {@code Host} that the request addresses. */
    private static boolean isSameOrigin(String origin, @Nullable String host) {
        return origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host);
    }

    private @Nullable Problem refusalOfChange(Request request) {
        if (clientSubject(request).isPresent()
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

    /** The subject of the client's certificate, where the connector has seen and verified one. */
    private static Optional<X500Principal> clientSubject(Request request) {
        return request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE) instanceof EndPoint.SslSessionData tls
                        && tls.peerCertificates() != null
                ? Optional.of(tls.peerCertificates()[0].getSubjectX500Principal())
                : Optional.empty();
    }
}
