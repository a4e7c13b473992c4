/**
 * The service: a program that has an allocator and nothing else. It starts without a configuration file, answers every
 * error as a problem, and logs how to try it. Whether the process ends when the JVM is out of memory depends on how
 * Java is started: {@code bin/id-allocator} and the image see to it, a mere {@code java -jar} does not.
 */
@NullMarked
package org.idallocator.service;

import org.jspecify.annotations.NullMarked;
