package com.example.shop;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.dropwizard.core.Configuration;
import jakarta.validation.Valid;
import org.idallocator.dropwizard.config.AllocatorSection;

/** A configuration with keys of its own, in which the allocator's section has a name that the shop chose. */
public final class ShopConfiguration extends Configuration {
    @JsonProperty
    private String name = "";

    @Valid
    @JsonProperty
    private AllocatorSection ids = new AllocatorSection();

    String name() {
        return name;
    }

    AllocatorSection ids() {
        return ids;
    }
}
