package org.idallocator.bench;

/**
 * What a figure is measured by.
 *
 * @param figure a benchmark, {@code Class.method}
 * @param of what it is divided by, measured in the same run with the same number of threads
 * @param goal the largest ratio that is good enough
 */
record Ratio(String figure, String of, double goal) {}
