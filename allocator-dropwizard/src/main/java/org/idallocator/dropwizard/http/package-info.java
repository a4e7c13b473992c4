/** What HTTP says is said once here: for Jetty's handlers, for servlets and for Jersey. Knows no other room. */
@NullMarked
package org.idallocator.dropwizard.http;

import org.jspecify.annotations.NullMarked;
