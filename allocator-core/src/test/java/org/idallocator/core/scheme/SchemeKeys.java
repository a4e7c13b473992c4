package org.idallocator.core.scheme;

import java.util.List;
import java.util.Map;

/** Which keys the schemes have in a configuration, for tests outside of this package. */
public final class SchemeKeys {
    private SchemeKeys() {}

    /** The keys of every scheme's section, by the scheme's name. */
    public static Map<String, List<String>> all() {
        return Schemes.keys();
    }
}
