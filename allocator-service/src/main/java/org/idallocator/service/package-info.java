/**
 * The service: a program that is nothing but an allocator, and the manners of such a program. It starts without a
 * configuration file, answers every error in its own way, and says how to try it. That it ends when the JVM is out of
 * memory is up to whoever starts Java: {@code bin/id-allocator} and the image say so, a mere {@code java -jar} does
 * not.
 */
@NullMarked
package org.idallocator.service;

import org.jspecify.annotations.NullMarked;
