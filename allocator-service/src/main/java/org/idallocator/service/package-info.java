/**
 * The service: the bundle, and the manners of a program that is nothing but an allocator. Such a program starts without a
 * configuration file, answers every error in its own way, says how to try it, and ends when the JVM cannot go on.
 */
@NullMarked
package org.idallocator.service;

import org.jspecify.annotations.NullMarked;
