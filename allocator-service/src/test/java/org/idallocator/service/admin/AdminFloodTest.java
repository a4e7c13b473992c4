package org.idallocator.service.admin;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dropwizard.core.setup.Environment;
import io.dropwizard.testing.DropwizardTestSupport;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.http.RequestPermit;
import org.idallocator.dropwizard.testing.Gate;
import org.idallocator.service.AllocatorConfiguration;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many requests of the admin port are worked on at a time: so few that the lease thread always has a processor. */
class AdminFloodTest {
    private static final int AT_A_TIME = 2;
    private static final int MANY = 6;

    private final Gate gate = new Gate();
    private final List<CompletableFuture<Integer>> answers = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @SuppressWarnings("NullAway.Init")
    private RunningService service;

    @BeforeEach
    void start() {
        service = RunningService.start(ObedientApplication.class, new DropwizardTestSupport.ServiceListener<>() {
            @Override
            public void onRun(
                    AllocatorConfiguration configuration,
                    Environment environment,
                    DropwizardTestSupport<AllocatorConfiguration> support) {
                environment.admin().addServlet("works", new Working()).addMapping("/works", "/prometheus");
                environment.admin().addServlet("waits", new Waiting()).addMapping("/waits");
            }
        });
    }

    @AfterEach
    void stop() {
        gate.open();
        service.close();
        threads.shutdown();
    }

    private final class Working extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            gate.run();
        }
    }

    private final class Waiting extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            RequestPermit.of(request).release();
            gate.run();
        }
    }

    /** Dumps of all threads and of all metrics, which are much work, are made one after the other. */
    @ProofOnly("eight seconds of dumps")
    @Test
    void shouldKeepNobodyElseFromThePortWhileDumpsAreMade() {
        ask("/prometheus");
        await().until(() -> gate.reached() == 1);
        assertEquals(200, service.strangersAdmin().status("/ping"));
        assertEquals(1, gate.reached());

        gate.open();
        answers.forEach(answer -> assertEquals(200, answer.join()));
    }

    private void ask(String path) {
        for (int i = 0; i < MANY; i++) {
            answers.add(
                    CompletableFuture.supplyAsync(() -> service.strangersAdmin().status(path), threads));
        }
    }

    @Test
    void shouldWorkOnFewRequestsAtATime() {
        ask("/works");
        await().until(() -> gate.reached() == AT_A_TIME);
        assertEquals(200, service.app().status("/ids/sno"));
        assertEquals(AT_A_TIME, gate.reached());

        gate.open();
        answers.forEach(answer -> assertEquals(200, answer.join()));
    }

    /** As operations do, for ZooKeeper, or for callers to go elsewhere. */
    @Test
    void shouldKeepNobodyFromTheWorkWhileOperatorsWait() {
        ask("/waits");
        await().until(() -> gate.reached() == MANY);
        assertEquals(200, service.strangersAdmin().status("/ping"));

        gate.open();
        answers.forEach(answer -> assertEquals(200, answer.join()));
    }
}
