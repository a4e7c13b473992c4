package org.idallocator.zk.model;

import de.uni_freiburg.informatik.ultimate.logic.Script;
import de.uni_freiburg.informatik.ultimate.logic.Term;
import de.uni_freiburg.informatik.ultimate.smtinterpol.DefaultLogger;
import de.uni_freiburg.informatik.ultimate.smtinterpol.LogProxy;
import de.uni_freiburg.informatik.ultimate.smtinterpol.option.OptionMap;
import de.uni_freiburg.informatik.ultimate.smtinterpol.smtlib2.ParseEnvironment;
import de.uni_freiburg.informatik.ultimate.smtinterpol.smtlib2.SMTInterpol;
import java.io.StringReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** SMTInterpol, which answers queries in SMT-LIB in this process. Thread-safe: each query has a solver of its own. */
final class Solver {
    private final boolean checked;

    /** @param checked whether the solver also proves that there is no answer, step by step, and checks that proof */
    Solver(boolean checked) {
        this.checked = checked;
    }

    /** Whether something satisfies the query. */
    boolean isSatisfiable(String query) {
        return values(query, List.of()).isPresent();
    }

    /**
     * Values that satisfy the query, of these constants; empty where nothing satisfies it.
     *
     * @throws IllegalArgumentException where the query cannot be read, or the solver does not know
     */
    Optional<Map<String, String>> values(String query, List<String> constants) {
        LogProxy log = new DefaultLogger();
        log.setLoglevel(LogProxy.LOGLEVEL_ERROR);
        OptionMap options = new OptionMap(log, true);
        SMTInterpol solver = new SMTInterpol(options);
        String settings = (checked ? "(set-option :proof-check-mode true)\n" : "")
                + (constants.isEmpty() ? "" : "(set-option :produce-models true)\n");
        new Throwing(solver, options).parseStream(new StringReader(settings + query), "query");
        Script.LBool answer = solver.checkSat();
        if (answer == Script.LBool.UNKNOWN) {
            throw new IllegalArgumentException("the solver does not know: " + query);
        }
        if (answer == Script.LBool.UNSAT) {
            return Optional.empty();
        }
        Map<String, String> values = new HashMap<>();
        if (!constants.isEmpty()) {
            Term[] asked = constants.stream().map(name -> solver.term(name)).toArray(Term[]::new);
            solver.getValue(asked)
                    .forEach((constant, value) -> values.put(constant.toString().replace("|", ""), value.toString()));
        }
        return Optional.of(values);
    }

    /** Says nothing of success, and throws where a command cannot be read. */
    private static final class Throwing extends ParseEnvironment {
        Throwing(Script solver, OptionMap options) {
            super(solver, options);
        }

        @Override
        public void printSuccess() {}

        @Override
        public void printError(String message) {
            throw new IllegalArgumentException(message);
        }
    }
}
