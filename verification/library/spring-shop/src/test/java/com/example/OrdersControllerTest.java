package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;

import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.id.Sno;
import org.idallocator.core.testing.TestIds;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.MockMvc;

/** A slice does not load the starter, so the test gives the controller its generator. */
@WebMvcTest(OrdersController.class)
class OrdersControllerTest {
    @TestConfiguration
    static class Ids {
        @Bean
        IdGenerator<Sno> numbers() {
            return TestIds.of(Sno.parse("9q7qmwq2222dhi22"));
        }
    }

    @Autowired
    private ApplicationContext slice;

    @Autowired
    private MockMvc shop;

    @MockitoBean
    private Orders orders;

    @Test
    void shouldGiveTheNumberThatIsDrawn() throws Exception {
        assertEquals(0, slice.getBeanNamesForType(IdGenerators.class).length, "the starter's, or an allocator");

        shop.perform(post("/numbers")).andExpect(jsonPath("$").value("9q7qmwq2222dhi22"));
    }
}
