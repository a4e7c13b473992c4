package org.idallocator.service.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dropwizard.core.setup.Environment;
import io.dropwizard.testing.DropwizardTestSupport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.frames.HeadersFrame;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.dropwizard.admin.AdminGuard;
import org.idallocator.service.AllocatorConfiguration;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The admin port of a program that speaks HTTP/2 there: a request has no Host, and says as its authority whom it
 * addresses.
 */
class AdminGuardOverHttp2Test {
    @SuppressWarnings("NullAway.Init")
    private static RunningService service;

    @SuppressWarnings("NullAway.Init")
    private static HTTP2Client client;

    @BeforeAll
    static void start() throws Exception {
        service = RunningService.start(ObedientApplication.class, new DropwizardTestSupport.ServiceListener<>() {
            @Override
            public void onRun(
                    AllocatorConfiguration configuration,
                    Environment environment,
                    DropwizardTestSupport<AllocatorConfiguration> support) {
                ObedientApplication application = support.getApplication();
                application.addAsTheServerStarts(AdminGuardOverHttp2Test::speakHttp2);
                AdminGuard.install(environment, configuration.allocator().admin(), Optional.empty());
            }
        });
        client = new HTTP2Client();
        client.start();
    }

    @AfterAll
    static void stop() throws Exception {
        client.stop();
        service.close();
    }

    private static void speakHttp2(Server server) {
        for (var connector : server.getConnectors()) {
            if (connector instanceof ServerConnector own) {
                own.addConnectionFactory(new HTTP2CServerConnectionFactory(new HttpConfiguration()));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "200, localhost:8081,",
        "200, REPLICAS.example,",
        "200, 10.1.2.3:8081,",
        "200, localhost:9, http://localhost:9",
        "403, evil.example:8081,",
        "403, localhost.evil.example,",
        "403, evil.example, http://evil.example",
        "403, localhost, http://evil.example"
    })
    void shouldAnswerUnderItsOwnNamesToItsOwnPages(int status, String authority, @Nullable String origin)
            throws Exception {
        HttpFields.Mutable fields = HttpFields.build();
        if (origin != null) {
            fields.put(HttpHeader.ORIGIN, origin);
        }
        MetaData.Request request =
                new MetaData.Request("GET", HttpURI.from("http://" + authority + "/ping"), HttpVersion.HTTP_2, fields);

        assertEquals(status, answered(request));
    }

    @Test
    void shouldNotAnswerWhoeverNamesNobody() throws Exception {
        HttpURI nobody = HttpURI.build().scheme("http").path("/ping").asImmutable();

        assertEquals(403, answered(new MetaData.Request("GET", nobody, HttpVersion.HTTP_2, HttpFields.build())));
    }

    private static int answered(MetaData.Request request) throws Exception {
        int port = service.support().getAdminPort();
        Session session = client.connect(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port), new Session.Listener() {})
                .get(HangGuard.MINUTES, TimeUnit.MINUTES);
        CompletableFuture<Integer> status = new CompletableFuture<>();
        var unused = session.newStream(new HeadersFrame(request, null, true), new Stream.Listener() {
            @Override
            public void onHeaders(Stream stream, HeadersFrame frame) {
                status.complete(((MetaData.Response) frame.getMetaData()).getStatus());
            }
        });
        return status.get(HangGuard.MINUTES, TimeUnit.MINUTES);
    }
}
