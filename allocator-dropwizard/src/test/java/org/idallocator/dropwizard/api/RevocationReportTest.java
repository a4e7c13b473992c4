package org.idallocator.dropwizard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.idallocator.zk.operator.Revocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RevocationReportTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            DONE            | true  | true  | taken away from tenure n                                        |
            GONE_ALREADY    | false | true  | tenure n had left the slot already                              |
            NOT_ITS_OWN     | false | false | nobody holds the slot, and tenure n was not the last to hold it |
            HELD_BY_ANOTHER | false | false | the slot is held by another tenure than n                       | ; it was left alone
            """)
    void shouldSayWhatEachOutcomeIsOverHttpAndAtTheCommandLine(
            Revocation revocation, boolean changed, boolean left, String detail, @Nullable String more) {
        String line = more == null ? detail : detail + more;

        assertEquals(new RevocationReport(changed, left, detail, line), RevocationReport.of(revocation, "n"));
    }
}
