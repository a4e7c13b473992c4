/**
 * What is said over HTTP in one place: for Jetty handlers, for servlets and for Jersey. Imports no other package of
 * this module.
 */
@NullMarked
package org.idallocator.dropwizard.http;

import org.jspecify.annotations.NullMarked;
