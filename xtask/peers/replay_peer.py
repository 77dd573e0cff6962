"""Queries for cvc5: {"query": SMT-LIB text, "seconds": float} in, {"status": "sat" | "unsat" |
"unknown" | "error", "reason": text} out, as lines of JSON."""

import cvc5
from common import serve

LIMIT_LEAST_MS = 1


def solve(problem):
    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    solver.setOption("tlimit-per", str(max(LIMIT_LEAST_MS, int(problem["seconds"] * 1000))))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, problem["query"], "query")
    symbols = parser.getSymbolManager()
    said = ""
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        said = command.invoke(solver, symbols).strip() or said
    status = said.splitlines()[-1] if said else "error"
    if status in ("sat", "unsat"):
        return {"status": status, "reason": ""}
    # The reason stands behind it, as in "unknown (TIMEOUT)".
    if status.startswith("unknown"):
        return {"status": "unknown", "reason": status}
    return {"status": "error", "reason": said}


serve(solve)
