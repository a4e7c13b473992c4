/**
 * The service: the bundle, and what is the taste of a program that is nothing but an allocator. It starts without a configuration
 * file, answers all errors in its own way, says how to try it, and ends when the JVM cannot go on.
 */
@NullMarked
package org.idallocator.service;

import org.jspecify.annotations.NullMarked;
