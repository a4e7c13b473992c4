package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.id.Sno;
import org.idallocator.core.testing.TestIds;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.annotation.Bean;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.json.JsonMapper;

@SpringBootTest
@AutoConfigureMockMvc
class ShopTest {
    @TestConfiguration
    static class Ids {
        @Bean
        IdGenerators ids() {
            return TestIds.all(); // the same IDs in each run: 9d5ve82222222222 is the first sno
        }
    }

    @Autowired
    private MockMvc shop;

    @Autowired
    private JsonMapper json;

    @Test
    void shouldNumberOrders() throws Exception {
        shop.perform(post("/orders?what=tea"))
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.id").value("9d5ve82222222222"));
        shop.perform(post("/orders?what=cake")).andExpect(jsonPath("$.id").value("9d5ve82222222223"));

        shop.perform(get("/orders/9d5ve82222222222"))
                .andExpect(jsonPath("$.what").value("tea"));
        shop.perform(get("/orders/9q7qmwq2222dhi22")).andExpect(status().isNotFound());
        shop.perform(get("/orders/nonsense")).andExpect(status().isBadRequest());
        assertOrders(2, "2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z");
        assertOrders(0, "2026-01-01T00:00:01Z", "2026-01-02T00:00:00Z");
        // Both are of the first 4 ms of the year, and either side of a bound there has all of them or none.
        assertOrders(0, "2025-12-31T00:00:00Z", "2026-01-01T00:00:00Z");
        assertOrders(0, "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.001Z");
        assertOrders(2, "2026-01-01T00:00:00.001Z", "2026-01-02T00:00:00Z");
    }

    private void assertOrders(int count, String from, String to) throws Exception {
        shop.perform(get("/orders?from=" + from + "&to=" + to))
                .andExpect(jsonPath("$.length()").value(count));
    }

    @Test
    void shouldReadTheIdsThatItWrites() {
        Sno id = Sno.parse("9d5ve82222222222");

        assertEquals("\"9d5ve82222222222\"", json.writeValueAsString(id));
        assertEquals(id, json.readValue("\"9d5ve82222222222\"", Sno.class));
    }

    @Test
    void shouldBeReadyWithoutAnAllocator() throws Exception {
        shop.perform(get("/actuator/health/readiness")).andExpect(status().isOk());
    }
}
