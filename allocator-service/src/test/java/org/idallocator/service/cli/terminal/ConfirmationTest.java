package org.idallocator.service.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfirmationTest {
    private final ByteArrayOutputStream asked = new ByteArrayOutputStream();

    private Confirmation answering(String answer, boolean terminal) {
        return new Confirmation(
                new ByteArrayInputStream(answer.getBytes(UTF_8)), new PrintStream(asked, true, UTF_8), terminal);
    }

    @ParameterizedTest
    @ValueSource(strings = {"y\n", "Y\n", "yes\n", " Yes \n", "y"})
    void shouldGoOnWhenThePersonSaysYes(String answer) throws IOException {
        answering(answer, true).require("retire it", false);

        assertEquals("retire it? [y/N] ", asked.toString(UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "n\n", "no\n", "yellow\n", "\ny\n"})
    void shouldChangeNothingWhenThePersonSaysAnythingElse(String answer) {
        CommandException no = assertThrows(
                CommandException.class, () -> answering(answer, true).require("retire it", false));

        assertEquals("nothing was changed", no.getMessage());
    }

    @Test
    void shouldRefuseWhenNobodyCanBeAsked() {
        UsageException no =
                assertThrows(UsageException.class, () -> answering("y\n", false).require("retire it", false));

        assertEquals("retire it: standard input is no terminal to ask on; agree with --yes", no.getMessage());
        assertEquals("", asked.toString(UTF_8));
    }

    @Test
    void shouldAskNobodyWhoHasAgreed() throws IOException {
        answering("n\n", true).require("retire it", true);
        answering("", false).require("retire it", true);

        assertEquals("", asked.toString(UTF_8));
    }
}
