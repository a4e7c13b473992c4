/**
 * What docs/programs.md says beside its code, which is in packages of {@code com.example}; and programs in other
 * languages.
 */
@NullMarked
package org.idallocator.recipes;

import org.jspecify.annotations.NullMarked;
