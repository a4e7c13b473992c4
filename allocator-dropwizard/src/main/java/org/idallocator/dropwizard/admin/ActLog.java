package org.idallocator.dropwizard.admin;

import com.google.common.base.Strings;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.security.auth.x500.X500Principal;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.idallocator.dropwizard.decode.Quoted;
import org.idallocator.dropwizard.logging.Repetitions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of each change that somebody asks for on the admin port, in one line: {@code act passed status=200
 * address=10.1.2.3 method=POST path=/tasks/drain certificate=none}. The same values are the event's key-value pairs,
 * which a JSON layout writes as fields.
 *
 * <p>No line has a header or a query, because one of them may have the token. What clients can write themselves comes
 * last, is cut, and begins no new line. Anybody can send requests that are refused, without end. So of those from one
 * address the first is told, and then once a minute how many more there were. Thread-safe.
 */
final class ActLog {
    private static final Logger LOG = LoggerFactory.getLogger(ActLog.class);

    /** The refused requests, by their addresses. */
    private final Repetitions<String> refusals;

    ActLog() {
        this(CompletableFuture.delayedExecutor(1, TimeUnit.MINUTES)::execute);
    }

    /** The same, where {@code inAMinute} runs a task a minute later. */
    ActLog(Consumer<Runnable> inAMinute) {
        refusals = new Repetitions<>(
                inAMinute, (address, more) -> LOG.info("act refused: {} more in a minute from {}", more, address));
    }

    /**
     * A change that the guard lets pass. The line comes when the request ends, because the answer has a status then.
     *
     * @param subject of the client's certificate, where it has shown one
     */
    void passed(Request request, Response response, Optional<X500Principal> subject) {
        Act act = Act.of(request, subject);
        Request.addCompletionListener(request, failure -> tell("passed", response.getStatus(), act));
    }

    /** A change that the guard refuses, with this status. */
    void refused(Request request, int status, Optional<X500Principal> subject) {
        Act act = Act.of(request, subject);
        if (refusals.isFirst(act.address(), "other addresses")) {
            tell("refused", status, act);
        }
    }

    /**
     * Who asks for what, as it may stand in the log. Once a request has ended, its connection may tell no address.
     *
     * @param path as the servlets see it, so that no other spelling of it hides an act
     * @param certificate the subject of the client's certificate; {@code none} where the client has shown none
     */
    private record Act(String address, String method, String path, String certificate) {
        static Act of(Request request, Optional<X500Principal> subject) {
            return new Act(
                    Quoted.of(Strings.nullToEmpty(Request.getRemoteAddr(request))),
                    Quoted.of(request.getMethod()),
                    Quoted.of(Request.getPathInContext(request)),
                    subject.map(name -> '"' + Quoted.visible(name.getName()).replace('"', '\'') + '"')
                            .orElse("none"));
        }
    }

    private static void tell(String change, int status, Act act) {
        LOG.atInfo()
                .addKeyValue("act", change)
                .addKeyValue("status", status)
                .addKeyValue("address", act.address())
                .addKeyValue("method", act.method())
                .addKeyValue("path", act.path())
                .addKeyValue("certificate", act.certificate())
                .log("act " + change + " status=" + status + " address=" + act.address() + " method=" + act.method()
                        + " path=" + act.path() + " certificate=" + act.certificate());
    }
}
