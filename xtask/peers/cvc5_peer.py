"""cvc5's get-interpolant, cut by cut.

A sequence or a tree is done from the leaves to the root: inside is the part with the interpolants
of those below it, outside are the parts still to come and the interpolants of finished branches.
So the answers fit together, as those of a prefix on its own would not have to.
"""

import re
import time

import cvc5
from common import Clock, children_of, serve

LIMIT_LEAST_MS = 1


def outside_of(parents, interpolants, cut):
    """Which parts, and which finished cuts, stand outside a cut."""
    count = len(parents) + 1
    pending = list(range(cut + 1, count))
    finished = [
        part for part in range(cut) if parents[part] > cut and part in interpolants
    ]
    return pending, finished


def interpolant(problem, clock, inside, outside):
    """One call, by a solver of its own; what is read before it is not on the clock."""
    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    solver.setOption("produce-interpolants", "true")
    solver.setOption("tlimit", str(max(LIMIT_LEAST_MS, int(clock.left() * 1000))))
    parser = cvc5.InputParser(solver)
    text = "(set-logic ALL)\n" + problem["declarations"]
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "declarations")
    symbols = parser.getSymbolManager()
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        command.invoke(solver, symbols)

    def read(formula):
        reader = cvc5.InputParser(solver, symbols)
        reader.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, formula, "formula")
        return reader.nextTerm()

    for formula in inside:
        solver.assertFormula(read(formula))
    outside = [read(formula) for formula in outside]
    together = terms.mkTerm(cvc5.Kind.AND, *outside) if len(outside) > 1 else outside[0]
    goal = together.notTerm()
    start = time.perf_counter()
    answer = solver.getInterpolant(goal)
    clock.seconds += time.perf_counter() - start
    if answer is None or answer.isNull():
        return None
    # Its own names for division that also has a value for zero, which no divisor of ours is.
    return re.sub(r"\b(div|mod)_total\b", r"\1", str(answer))


def solve(problem):
    parents, parts = problem["parents"], problem["parts"]
    clock = Clock(problem["seconds"])
    found = {}
    for cut in range(len(parents)):
        inside = [parts[cut]] + [found[child] for child in children_of(parents, cut)]
        pending, finished = outside_of(parents, found, cut)
        outside = [parts[part] for part in pending] + [found[part] for part in finished]
        answer = interpolant(problem, clock, inside, outside)
        if answer is None:
            return clock.unknown("no interpolant")
        if clock.left() <= 0:
            return clock.unknown("time")
        found[cut] = answer
    return clock.solved([found[cut] for cut in range(len(parents))])


serve(solve)
