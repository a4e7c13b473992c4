package org.idallocator.dropwizard.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.scheme.Schemes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuessTest {
    private static Clock at(Instant now) {
        return new ScriptedClock(now.getEpochSecond() * 1_000_000);
    }

    private static IdGuesser guess(String form) {
        Optional<String> only = Optional.of(form).filter(name -> !name.equals("any"));
        return new IdGuesser(Schemes.all(), only, at(Instant.parse("2026-11-21T00:00:00Z")));
    }

    private static String ways(List<Candidate> candidates) {
        return candidates.stream()
                .map(candidate -> candidate.reading().scheme() + " " + candidate.form() + " "
                        + year(candidate.reading().time()))
                .collect(Collectors.joining(", "));
    }

    private static String year(Instant time) {
        return time.toString().substring(0, 4);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            any       | 9q7qmwq2222dhi22                     | sno canonical 2026
            any       | 3e0b8a7b000000b7c000                 | sno hex 2026
            any       | 39713771-6d77-7132-3232-326468693232 | sno uuid 2026, muid uuid 2482
            any       | -966301394858409709                  | eightbyte decimal 2026
            any       | 0660c91af254f7000000000000000001     | muid hex 2026
            any       | 0X3E0B8A7B000000B7C000               | sno hex 2026
            any       | 0660C91AF254F7172DF585D483600001     | muid canonical 2026
            any       | 80000000000000800000000000000001     | muid canonical 3111, gid hex 1970
            any       | 05a43c7f85800340                     | eightbyte canonical 2026, uid60 hex 2066
            any       | 05A43C7F85800340                     | eightbyte hex 2026, uid60 hex 2066
            any       | 0075BCD15088C605                     | uid60 hex 2022
            any       | 075bcd15088c605                      | uid60 hex 2022
            any       | BaQ8f4WAA0A                          | eightbyte base64url 2026
            any       | 406516384768459584                   | eightbyte decimal 2026, uid60 decimal 2066
            any       | 12                                   | uid60 decimal 2018, eightbyte decimal 1970
            any       | 1234567890                           | eightbyte decimal 2024, uid60 decimal 2018, uid60 canonical 2141
            any       | 2222222222222222                     | sno canonical 2010, uid60 decimal 2018
            canonical | 1234567890                           | uid60 canonical 2141
            hex       | 80000000000000800000000000000001     | muid hex 3111, gid hex 1970
            decimal   | 12                                   | uid60 decimal 2018, eightbyte decimal 1970
            """)
    void shouldReadEveryFormWithTheMostPlausibleFirst(String form, String text, String ways) {
        assertEquals(ways, ways(guess(form).candidates(text)));
    }

    @ParameterizedTest
    @CsvSource({"2141-01-13T19:22:19Z, uid60 canonical 2141", "2141-01-13T19:22:18Z, eightbyte decimal 2024"})
    void shouldFindTimesPlausibleUpToADayAhead(Instant now, String first) {
        IdGuesser guess = new IdGuesser(Schemes.all(), Optional.empty(), at(now));

        assertEquals(first, ways(guess.candidates("1234567890").subList(0, 1)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            any       | zzz              | canonical, hex, uuid, base64url, decimal
            any       | ''               | canonical, hex, uuid, base64url, decimal
            any       | 9Q7QMWQ2222DHI22 | canonical, hex, uuid, base64url, decimal
            any       | FFFFFFFFFFFFFFFF | canonical, hex, uuid, base64url, decimal
            canonical | zzz              | canonical
            uuid      | 1                | uuid
            """)
    void shouldNameTheFormsThatThereAreWhenNoneFits(String form, String text, String forms) {
        UnreadableIdException error =
                assertThrows(UnreadableIdException.class, () -> guess(form).candidates(text));

        assertEquals("not an ID: " + text + " (the forms are " + forms + ")", error.getMessage());
    }
}
