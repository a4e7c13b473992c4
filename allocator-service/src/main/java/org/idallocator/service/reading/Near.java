package org.idallocator.service.reading;

import java.util.Optional;
import org.idallocator.core.id.IdFormatException;
import org.idallocator.core.scheme.Form;

/**
 * How near a text comes to a form that refuses it: what would have to be changed until the form reads the text.
 *
 * @param distance the cost of the changes: little for a letter's case, more for a wrong or missing character
 * @param why the form's refusal
 */
record Near(int distance, String why) {
    private static final int CASE = 1;
    private static final int CHARACTER = 4;
    /** Most alphabets have the first, UUIDs and gids need the dash, and the last has none of the bits that must be clear. */
    private static final String FILLERS = "2-A";

    private static final int NOWHERE = Integer.MAX_VALUE;

    static Near of(Form<?> form, String text) {
        String fitting = fitting(form, text);
        int distance = Math.abs(text.length() - fitting.length()) * CHARACTER + changes(form, fitting);
        return new Near(distance, why(form, text));
    }

    /** Whether at least half of the text can stay. */
    boolean within(String text) {
        return distance * 2 <= text.length() * CHARACTER;
    }

    /** The text in a length that the form has: cut at its end, or filled up. */
    private static String fitting(Form<?> form, String text) {
        String cut = text.substring(0, Math.min(text.length(), form.longest()));
        return cut + FILLERS.substring(0, 1).repeat(Math.max(0, form.shortest() - cut.length()));
    }

    /** The cost of changing one refused character after the other, until the form reads the text or refuses it as a whole. */
    private static int changes(Form<?> form, String text) {
        StringBuilder changed = new StringBuilder(text);
        int cost = 0;
        int position = refusedAt(form, changed);
        while (position >= 0 && position != NOWHERE) {
            cost += change(form, changed, position);
            int next = refusedAt(form, changed);
            if (next == position) {
                return cost + (changed.length() - position) * CHARACTER; // no way on: the rest counts as wrong
            }
            position = next;
        }
        return position == NOWHERE ? cost : cost + CASE;
    }

    private static int change(Form<?> form, StringBuilder changed, int position) {
        char symbol = changed.charAt(position);
        char otherCase = Character.isUpperCase(symbol) ? Character.toLowerCase(symbol) : Character.toUpperCase(symbol);
        changed.setCharAt(position, otherCase);
        if (refusedAt(form, changed) != position) {
            return CASE;
        }
        for (int i = 0; i < FILLERS.length() && refusedAt(form, changed) == position; i++) {
            changed.setCharAt(position, FILLERS.charAt(i));
        }
        return CHARACTER;
    }

    /** Where the form refuses a text: -1 as a whole, and {@link #NOWHERE} if the form reads the text. */
    private static int refusedAt(Form<?> form, CharSequence text) {
        return refusal(form, text.toString())
                .map(why -> why instanceof IdFormatException precise ? precise.position() : -1)
                .orElse(NOWHERE);
    }

    private static String why(Form<?> form, String text) {
        return refusal(form, text).map(Throwable::getMessage).orElse("");
    }

    private static Optional<IllegalArgumentException> refusal(Form<?> form, String text) {
        try {
            var unused = form.parse().apply(text);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(e);
        }
    }
}
