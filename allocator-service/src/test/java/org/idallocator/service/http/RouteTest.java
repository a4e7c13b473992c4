package org.idallocator.service.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.idallocator.dropwizard.http.Route;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteTest {
    /** A resource's method, as Jersey lists it: {@code GET /ids (...)}. */
    private static final Pattern METHOD = Pattern.compile(" ([A-Z]+) +(/\\S*) \\(");

    @Test
    void shouldBeThoseOfTheResourcesAndNoOthers() {
        try (RunningService service = RunningService.start(ObedientApplication.class)) {
            String endpoints = service.support()
                    .getEnvironment()
                    .jersey()
                    .getResourceConfig()
                    .getEndpointsInfo();
            List<String> served = METHOD.matcher(endpoints)
                    .results()
                    .map(method -> method.group(1) + " " + method.group(2))
                    .sorted()
                    .toList();

            assertEquals(
                    served,
                    Stream.of(Route.values())
                            .flatMap(route -> route.methods().stream().map(method -> method + " " + route.path()))
                            .sorted()
                            .toList());
        }
    }

    /** A program answers errors at its own paths, also at those beside a route. */
    @ParameterizedTest
    @CsvSource(nullValues = "-", delimiter = '|', textBlock = """
            /ids             | SCHEMES     | true
            /ids/            | SCHEMES     | true
            /ids/sno         | IDS         | true
            /ids/sno/        | IDS         | true
            /ids/sno/x       | ID          | true
            /ids/sno/x/      | ID          | true
            /ids/sno/x/y     | -           | true
            /ids//sno        | -           | true
            /idsx            | -           | false
            /IDS             | -           | false
            /leases          | LEASES      | true
            /leases/sno      | -           | false
            /openapi.json    | DESCRIPTION | true
            /openapi-json    | -           | false
            /problems        | -           | false
            /problems/       | -           | true
            /problems/busy   | PROBLEM     | true
            /problems/busy/x | -           | true
            /                | -           | false
            ''               | -           | false
            /orders          | -           | false
            """)
    void shouldBeFoundByAPath(String path, @Nullable Route route, boolean own) {
        assertEquals(route, Route.of(path).orElse(null));
        assertEquals(own, Route.ownsPath(path));
    }
}
