/**
 * One file per scheme, and the list of all. All that handles schemes (routes, catalogue, leases, tests) works from that
 * list.
 *
 * <table>
 * <caption>The schemes with their defaults: sno with 256 partitions in 4 shards each, eightbyte with one of its 16
 * clusters</caption>
 * <thead>
 * <tr><th scope="col"></th>
 *   <th scope="col">{@link org.idallocator.core.scheme.SnoScheme sno}</th>
 *   <th scope="col">{@link org.idallocator.core.scheme.MuidScheme muid}</th>
 *   <th scope="col">{@link org.idallocator.core.scheme.EightByteScheme eightbyte}</th>
 *   <th scope="col">{@link org.idallocator.core.scheme.Uid60Scheme uid60}</th>
 *   <th scope="col">{@link org.idallocator.core.scheme.GidScheme gid}</th></tr>
 * </thead>
 * <tbody>
 * <tr><th scope="row">bits, bytes</th>
 *   <td>80, 10</td> <td>128, 16</td> <td>64, 8</td> <td>60, 8</td> <td>128, 16</td></tr>
 * <tr><th scope="row">characters of text</th>
 *   <td>16, {@code [2-9a-x]}</td> <td>32, upper-case hex</td> <td>16, lower-case hex</td>
 *   <td>10, {@code [A-Za-z0-9_-]}</td> <td>24, base58 and a dash</td></tr>
 * <tr><th scope="row">tick</th>
 *   <td>4 ms</td> <td>1 µs</td> <td>1 ms</td> <td>1 s</td> <td>1 ms</td></tr>
 * <tr><th scope="row">IDs per tick and slot</th>
 *   <td>16,384; 65,536 in a partition</td> <td>1 transaction, of up to 1,048,575 objects</td> <td>64</td>
 *   <td>1,024</td> <td>no limit</td></tr>
 * <tr><th scope="row">slots</th>
 *   <td>1,024; up to 2^30</td> <td>2^48 medallions</td> <td>64 generator IDs; 1,024 in all clusters</td>
 *   <td>512 worker IDs</td> <td>none needed</td></tr>
 * <tr><th scope="row">runs until</th>
 *   <td>2079-09-07</td> <td>4253-05-31</td> <td>2109-05-15</td> <td>2154-04-07</td> <td>10889-08-02</td></tr>
 * <tr><th scope="row">bytes sort by time</th>
 *   <td>yes</td> <td>yes</td> <td>no</td> <td>yes</td> <td>within a type</td></tr>
 * <tr><th scope="row">text sorts by time</th>
 *   <td>yes</td> <td>yes</td> <td>no</td> <td>no; {@code hex} does</td>
 *   <td>within a type, under a binary collation</td></tr>
 * <tr><th scope="row">stored number sorts by time</th>
 *   <td>too wide; as a UUID yes</td> <td>too wide; as a UUID yes, where its bytes are compared</td> <td>no</td>
 *   <td>yes, in a signed column too</td> <td>too wide; as a UUID within a type, where its bytes are compared</td></tr>
 * <tr><th scope="row">a scan for a range of time</th>
 *   <td>yes</td> <td>yes</td> <td>never, by design</td> <td>yes, not by text</td> <td>for one type</td></tr>
 * <tr><th scope="row">reveals</th>
 *   <td>time, metabyte, partition, sequence</td> <td>time, medallion, place in its transaction</td>
 *   <td>time, sequence, generator ID, cluster ID</td> <td>time, worker ID, sequence</td> <td>type, time</td></tr>
 * <tr><th scope="row">unique by</th>
 *   <td>lease</td> <td>lease</td> <td>lease</td> <td>lease</td>
 *   <td>chance: 64 random bits in each millisecond</td></tr>
 * <tr><th scope="row">choose it</th>
 *   <td>as the general choice: short, and sorted by time in every form</td>
 *   <td>for changes that belong together, in the size of a UUID</td>
 *   <td>for keys of stores that split by key ranges, so that writes spread</td>
 *   <td>where people see it and a {@code long} stores it, at moderate rates</td>
 *   <td>where others must not guess it, or without leases</td></tr>
 * </tbody>
 * </table>
 *
 * <p>The pages of the IDs draw the layout of the bits, and say more on each of these rows:
 * {@link org.idallocator.core.id.Sno}, {@link org.idallocator.core.id.Muid},
 * {@link org.idallocator.core.id.EightByteId}, {@link org.idallocator.core.id.Uid60} and
 * {@link org.idallocator.core.id.Gid}.
 */
@NullMarked
package org.idallocator.core.scheme;

import org.jspecify.annotations.NullMarked;
