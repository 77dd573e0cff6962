"""Z3's Spacer as an interpolator: a Horn clause for each part, a relation for each cut.

What the relations stand for in a model of the clauses are interpolants.
"""

import time

import z3
from common import Clock, children_of, serve

# Else the relations are inlined before Spacer sees them, and their meanings have quantifiers.
for name in ["inline_eager", "inline_linear", "slice"]:
    z3.set_param(f"fp.xform.{name}", False)


def declared(problem):
    """The formulas, and the constants by name."""
    text = problem["declarations"]
    text += "".join(f"(assert {part})\n" for part in problem["parts"])
    parts = list(z3.parse_smt2_string(text))
    constants = {}
    open_terms = list(parts)
    seen = set()
    while open_terms:
        term = open_terms.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            constants[term.decl().name()] = term
        open_terms.extend(term.children())
    return parts, constants


def symbols_of(term, constants):
    """The constants of a formula."""
    found = {}
    open_terms = [term]
    seen = set()
    while open_terms:
        term = open_terms.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        if z3.is_const(term) and term.decl().name() in constants:
            found[term.decl().name()] = term
        open_terms.extend(term.children())
    return list(found.values())


def meaning(model, relation):
    """What a relation, applied to its constants, stands for."""
    value = model[relation.decl()]
    if value is None:
        return z3.BoolVal(True)
    if not isinstance(value, z3.FuncInterp):
        return value
    if value.num_entries() > 0:
        raise ValueError("a relation is given by a table")
    # Variable 0 is the first argument.
    return z3.substitute_vars(value.else_value(), *relation.children())


def solve(problem):
    parents = problem["parents"]
    clock = Clock(problem["seconds"])
    parts, constants = declared(problem)
    if len(parts) != len(parents) + 1:
        return clock.unknown("a part is trivial")
    relations = []
    for cut, names in enumerate(problem["shared"]):
        over = [constants[name] for name in names if name in constants]
        sorts = [constant.sort() for constant in over]
        relation = z3.Function(f"cut!{cut}", *sorts, z3.BoolSort())
        relations.append(relation(*over))
    solver = z3.SolverFor("HORN")
    solver.set("timeout", max(1, int(clock.left() * 1000)))
    for part, formula in enumerate(parts):
        body = z3.And([relations[child] for child in children_of(parents, part)] + [formula])
        head = relations[part] if part < len(relations) else z3.BoolVal(False)
        clause = z3.Implies(body, head)
        over = symbols_of(clause, constants)
        solver.add(z3.ForAll(over, clause) if over else clause)
    start = time.perf_counter()
    answer = solver.check()
    model = solver.model() if answer == z3.sat else None
    clock.seconds += time.perf_counter() - start
    if model is None:
        return clock.unknown(solver.reason_unknown() if answer == z3.unknown else "unsat")
    start = time.perf_counter()
    values = [meaning(model, relation) for relation in relations]
    clock.seconds += time.perf_counter() - start
    return clock.solved([value.sexpr() for value in values])


serve(solve)
