package org.idallocator.service.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfirmationTest {
    private final ByteArrayOutputStream asked = new ByteArrayOutputStream();

    private Confirmation answering(String answer, Optional<Terminal> missing) {
        return new Confirmation(
                new ByteArrayInputStream(answer.getBytes(UTF_8)), new PrintStream(asked, true, UTF_8), missing);
    }

    @ParameterizedTest
    @ValueSource(strings = {"y\n", "Y\n", "yes\n", " Yes \n", "y"})
    void shouldGoOnWhenThePersonSaysYes(String answer) throws IOException {
        answering(answer, Optional.empty()).require("retire it", false);

        assertEquals("retire it? [y/N] ", asked.toString(UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "n\n", "no\n", "yellow\n", "\ny\n"})
    void shouldChangeNothingWhenThePersonSaysAnythingElse(String answer) {
        CommandException no = assertThrows(
                CommandException.class,
                () -> answering(answer, Optional.empty()).require("retire it", false));

        assertEquals("nothing was changed", no.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"STANDARD_INPUT, standard input", "STANDARD_ERROR, standard error"})
    void shouldRefuseWhenNobodyCanBeAsked(Terminal missing, String words) {
        Confirmation confirmation = answering("y\n", Optional.of(missing));
        String no = "retire it: " + words + " is no terminal to ask on; agree with --yes";

        assertEquals(
                no,
                assertThrows(UsageException.class, () -> confirmation.require("retire it", false))
                        .getMessage());
        assertEquals(
                no,
                assertThrows(UsageException.class, () -> confirmation.requireAnybody("retire it", false))
                        .getMessage());
        assertEquals("", asked.toString(UTF_8));
    }

    @Test
    void shouldAskNobodyWhoHasAgreed() throws IOException {
        answering("n\n", Optional.empty()).require("retire it", true);
        answering("", Optional.of(Terminal.STANDARD_INPUT)).require("retire it", true);

        assertEquals("", asked.toString(UTF_8));
    }
}
