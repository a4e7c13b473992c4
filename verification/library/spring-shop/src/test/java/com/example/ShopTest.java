package com.example;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.testing.TestIds;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.annotation.Bean;
import org.springframework.test.web.servlet.MockMvc;

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
        shop.perform(get("/orders?from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:01Z"))
                .andExpect(jsonPath("$.length()").value(2))
                .andExpect(jsonPath("$[1].what").value("cake"));
        shop.perform(get("/orders?from=2026-01-01T00:00:01Z&to=2026-01-02T00:00:00Z"))
                .andExpect(jsonPath("$.length()").value(0));
    }

    @Test
    void shouldBeReadyWithoutAnAllocator() throws Exception {
        shop.perform(get("/actuator/health/readiness")).andExpect(status().isOk());
    }
}
