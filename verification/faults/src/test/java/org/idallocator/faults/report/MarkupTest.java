package org.idallocator.faults.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MarkupTest {
    @Test
    void shouldEscapeTextAndAttributes() {
        String written = new Markup()
                .element("p", "<script>'a' & \"b\"</script>", "title", "\"><img src=x>", "x", 1.25)
                .toString();
        assertEquals(
                "<p title=\"&quot;&gt;&lt;img src=x&gt;\" x=\"1.3\">"
                        + "&lt;script&gt;&#39;a&#39; &amp; &quot;b&quot;&lt;/script&gt;</p>\n",
                written);
    }
}
