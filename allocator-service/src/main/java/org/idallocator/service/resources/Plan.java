package org.idallocator.service.resources;

import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.draw.Order;

/**
 * What a request asks for.
 *
 * @param scheme the scheme
 * @param order what is to be drawn
 * @param form the form in which the IDs are to be written
 */
record Plan<T extends Id>(Scheme<T> scheme, Order order, Form<T> form) {}
