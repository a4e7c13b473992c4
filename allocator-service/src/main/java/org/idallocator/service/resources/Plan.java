package org.idallocator.service.resources;

import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.draw.Answer;
import org.idallocator.service.draw.Dispenser;
import org.idallocator.service.draw.Media;
import org.idallocator.service.draw.Order;

/**
 * What a request asks for.
 *
 * @param scheme the scheme
 * @param order what is to be drawn
 * @param form the form in which the IDs are to be written
 */
record Plan<T extends Id>(Scheme<T> scheme, Order order, Form<T> form) {

    /** The answer in a media type; nothing is drawn yet. */
    Answer answer(Dispenser dispenser, Media media) {
        return dispenser.answer(scheme, order, form, media);
    }
}
