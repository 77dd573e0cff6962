//! Scripts and terms as text: what is accepted, what is rejected, and that what is printed reads
//! back.

use super::mixed::Mixed;
use crate::read::{self, Action, Command, Refusal};
use crate::{Integer, Sort, TermId, TermStore, TermValue};
use base::SourceMap;

fn run(store: &mut TermStore, text: &str) -> Result<Vec<Command>, Refusal> {
    let mut sources = SourceMap::new();
    let file = sources.add("a.smt2", text.as_bytes().to_vec());
    let file = file.expect("the text should be short enough");
    read::script(store, sources.file(file))
}

/// The formulas that a script asserts.
fn asserted(store: &mut TermStore, text: &str) -> Vec<TermId> {
    let commands = run(store, text).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    let formula = |command: Command| match command.action {
        Action::Assert { formula, .. } => Some(formula),
        _ => None,
    };
    commands.into_iter().filter_map(formula).collect()
}

const DECLARED: &str = "(declare-const x Int) (declare-const y Int) (declare-fun r () Real)
    (declare-const b Bool) (declare-const c Bool) (declare-const a (Array Int Int))
    (declare-fun f (Int) Int) (declare-fun g (Real Int) Real) (declare-fun p (Bool) Bool)\n";

/// Both terms are read and are the same term.
#[track_caller]
fn same(left: &str, right: &str) {
    let mut store = TermStore::new();
    let text = format!("{DECLARED} (assert {left}) (assert {right})");
    let terms = asserted(&mut store, &text);
    let (a, b) = (store.smtlib(terms[0]), store.smtlib(terms[1]));
    assert_eq!(terms[0], terms[1], "{a} is not {b}");
}

#[test]
fn operators_mean_what_smtlib_says() {
    same("(< x y 7)", "(and (<= (+ x 1) y) (<= y 6))");
    same("(>= x y)", "(<= y x)");
    same("(=> b c (= x y))", "(or (not b) (not c) (= y x))");
    same("(xor b c)", "(not (= b c))");
    same(
        "(distinct x y 3)",
        "(and (not (= x y)) (not (= x 3)) (not (= y 3)))",
    );
    same("(= (- x) (- y x 1))", "(= y 1)");
    same("(= (* 2 3 x) (* y 2))", "(= (* 3 x) y)");
    same("(= (mod x (- 3)) 1)", "((_ divisible 3) (- x 1))");
    same("(= (div x (- 3)) y)", "(= (- (div x 3)) y)");
    same("(= (div x 2 3) y)", "(= (div (div x 2) 3) y)");
    same("(= (abs (- x)) y)", "(= (ite (<= x 0) (- x) x) y)");
    same("(= r 2)", "(= 2.0 r)");
    same("(< (/ r 2) (/ 1 4))", "(< (* 4.00 r) 2)");
    same("(= (to_int (/ (to_real x) 2.0)) y)", "(= (div x 2) y)");
    same("(is_int (/ (+ x 1) 2))", "((_ divisible 2) (+ x 1))");
    same("(< (g x y) (g (to_real x) y))", "false");
    same("(= (select (store a x 3) x) y)", "(= y 3)");
    same("(let ((x y) (y x)) (< x y))", "(< y x)");
    same(
        "(let ((x 1)) (let ((y x) (x 2)) (= (f x) y)))",
        "(= 1 (f 2))",
    );
    same("(p (! (= x y) :pattern (x) :weight 3))", "(p (= |x| y))");
    same(
        "(ite b (= x 1) (= y 1))",
        "(and (or (not b) (= x 1)) (or b (= y 1)))",
    );
    same("(= (ite b 1 r) 2)", "(= (ite b 1.0 r) 2.0)");
    same(
        "(= 123456789012345678901234567890 (* 10 x))",
        "(= x 12345678901234567890123456789)",
    );
}

/// Division by any constant, against SMT-LIB's definition.
#[test]
fn quotients_and_remainders_obey_the_definition() {
    for divisor in [-5i64, -2, -1, 1, 2, 7] {
        for value in -15i64..15 {
            let mut store = TermStore::new();
            let x = store.new_symbol("x", Sort::Int);
            let number = |n: i64| {
                if n < 0 {
                    format!("(- {})", -n)
                } else {
                    n.to_string()
                }
            };
            let mut evaluated = |operator: &str| {
                let text = format!("({operator} x {})", number(divisor));
                let term = read::term(&mut store, &text).expect("it should be read");
                let of = |symbol| (symbol == x).then(|| TermValue::Int(value.into()));
                let result = store.evaluate(term, &of).expect("it should have a value");
                result
                    .as_int()
                    .and_then(Integer::to_i64)
                    .expect("it should be small")
            };
            let (quotient, rest) = (evaluated("div"), evaluated("mod"));
            assert_eq!(divisor * quotient + rest, value);
            assert!(0 <= rest && rest < divisor.abs());
        }
    }
}

#[test]
fn definitions_are_expanded() {
    let text = "(declare-const x Int)
        (define-fun twice ((x Int)) Int (+ x x))
        (define-fun between ((low Int) (y Int)) Bool (and (<= low y) (< y (twice low))))
        (define-const ten Int 10)
        (define-fun third () Real (/ ten 3))
        (assert (let ((low 99)) (between ten x)))
        (assert (and (<= 10 x) (< x 20)))
        (assert (= third (/ 10.0 3.0)))";
    let mut store = TermStore::new();
    let terms = asserted(&mut store, text);
    assert_eq!(terms[0], terms[1]);
    assert_eq!(terms[2], store.bool(true));
    // A parameter does not take the name of a symbol that is declared later.
    let later = "(define-fun same ((z Real)) Real z) (declare-const z Int) (assert (= (same z) 1))";
    let terms = asserted(&mut store, later);
    assert_eq!(store.smtlib(terms[0]), "(= (+ z (- 1)) 0)");
}

#[test]
fn commands_are_kept_in_order() {
    let text = "(set-logic QF_LIA) ; a comment with ) in it
        (set-option :produce-interpolants true) (set-info :source |free ( text|)
        (declare-const x Int)
        (assert (! (< x 0) :named A))
        (push 1) (declare-const |a b| Bool) (assert (! |a b| :named |my B|)) (check-sat) (pop)
        (declare-const |a b| Int)
        (assert (= |a b| x)) (echo \"say \"\"hi\"\"\") (get-model) (exit) (nonsense";
    let mut store = TermStore::new();
    assert!(run(&mut store, text).is_err());
    let text = text.replace("(nonsense", "(nonsense)");
    let commands = run(&mut store, &text).expect("it should be read");
    let actions: Vec<Action> = commands.into_iter().map(|command| command.action).collect();
    assert!(matches!(&actions[0], Action::Assert { name: Some(name), .. } if &**name == "A"));
    assert_eq!(actions[1], Action::Push(1));
    assert!(matches!(&actions[2], Action::Assert { name: Some(name), .. } if &**name == "my B"));
    assert_eq!(actions[3..5], [Action::CheckSat, Action::Pop(1)]);
    assert!(matches!(&actions[5], Action::Assert { name: None, .. }));
    assert_eq!(actions[6], Action::Echo("say \"hi\"".into()));
    assert_eq!(actions[7..], [Action::GetModel, Action::Exit]);
}

/// The parts and the parents of a `get-interpolants` over assertions A to F.
fn partition(arguments: &str) -> Result<(String, Vec<usize>), String> {
    let mut text = String::new();
    for name in ["A", "B", "C", "D", "E", "F"] {
        text += &format!("(declare-const v{name} Bool) (assert (! v{name} :named {name}))");
    }
    text += &format!("(get-interpolants {arguments})");
    let mut store = TermStore::new();
    let commands = run(&mut store, &text).map_err(|refusal| refusal.message)?;
    match commands.into_iter().last().map(|command| command.action) {
        Some(Action::GetInterpolants(partition)) => {
            let names: Vec<String> = (partition.parts.iter())
                .map(|part| part.names.concat())
                .collect();
            assert_eq!(partition.parents.len() + 1, names.len());
            Ok((names.join(" "), partition.parents))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn parentheses_start_branches() {
    let read = |text| partition(text).unwrap_or_else(|message| panic!("{text}: {message}"));
    assert_eq!(read("A B C"), ("A B C".into(), vec![1, 2]));
    assert_eq!(read("A B (C) D"), ("A B C D".into(), vec![1, 3, 3]));
    assert_eq!(
        read("(A) (B C) D E"),
        ("A B C D E".into(), vec![3, 2, 3, 4])
    );
    assert_eq!(
        read("A (B (C) D) E"),
        ("A B C D E".into(), vec![4, 3, 3, 4])
    );
    assert_eq!(
        read("((A) (B) C (D) E) F"),
        ("A B C D E F".into(), vec![2, 2, 4, 4, 5])
    );
}

#[test]
fn conjunctions_of_names_are_one_part() {
    assert_eq!(partition("(and A B) C"), Ok(("AB C".into(), vec![1])));
    assert_eq!(
        partition("(and A B) (C (and D E)) F").map(|read| read.1),
        Ok(vec![3, 2, 3])
    );
}

#[test]
fn partitions_that_make_no_tree_are_refused() {
    for (text, message) in [
        ("A", "expected the names of two parts or more"),
        ("A (B)", "a branch should end in the name of its root"),
        ("A () B", "a branch should end in the name of its root"),
        ("A X", "no assertion is named `X`"),
        ("A vB", "no assertion is named `vB`"),
        ("A B A", "the assertion `A` stands in two parts"),
        ("A 7", "a name should stand here"),
    ] {
        assert_eq!(partition(text), Err(message.into()), "{text}");
    }
}

/// The message and the text of the place that is refused.
fn refusal(text: &str) -> (String, String) {
    let text = format!("{DECLARED}{text}");
    let mut sources = SourceMap::new();
    let file = sources
        .add("a.smt2", text.clone().into_bytes())
        .expect("it should be short");
    let mut store = TermStore::new();
    match read::script(&mut store, sources.file(file)) {
        Ok(commands) => panic!("{text} was read as {commands:?}"),
        Err(refusal) => {
            let place = sources.snippet(refusal.span);
            (refusal.message, String::from_utf8_lossy(place).into())
        }
    }
}

#[test]
fn what_is_not_supported_is_refused_at_its_place() {
    for (text, message, place) in [
        ("(assert (< x z))", "`z` is not declared", "z"),
        ("(assert (h x))", "`h` is not declared", "h"),
        (
            "(assert (= (* x (+ y 1)) 2))",
            "a product of two terms that are not constants is not linear",
            "(+ y 1)",
        ),
        (
            "(assert (= (div x y) 2))",
            "a divisor should be a constant",
            "y",
        ),
        (
            "(assert (= (mod x 0) 2))",
            "a division by zero is not supported",
            "0",
        ),
        (
            "(assert (= (/ x 0.0) 2))",
            "a division by zero is not supported",
            "0.0",
        ),
        (
            "(assert (and b x))",
            "expected sort Bool, found a term of sort Int",
            "x",
        ),
        (
            "(assert (+ x 1))",
            "expected a term of sort Bool, found one of sort Int",
            "(+ x 1)",
        ),
        (
            "(assert (< x b))",
            "expected a number, found a term of sort Bool",
            "b",
        ),
        (
            "(assert (= x b))",
            "expected sort Int, found a term of sort Bool",
            "b",
        ),
        (
            "(assert (= (f r) 1))",
            "expected Int, found a term of sort Real",
            "r",
        ),
        (
            "(assert (= (f x y) 1))",
            "expected 1 arguments, found 2",
            "(f x y)",
        ),
        ("(assert (= f 1))", "the function `f` needs arguments", "f"),
        ("(assert (b x))", "`b` takes no arguments", "b"),
        (
            "(assert (not b c))",
            "expected 1 argument, found 2",
            "(not b c)",
        ),
        (
            "(assert (ite b x c))",
            "expected sort Int, found a term of sort Bool",
            "c",
        ),
        (
            "(assert (forall ((z Int)) (= z 0)))",
            "quantifiers are not supported",
            "(forall ((z Int)) (= z 0))",
        ),
        (
            "(assert (= x #b101))",
            "bit vectors are not supported",
            "#b101",
        ),
        (
            "(assert (= x (to_int r)))",
            "the integer part of a real is only supported where it is made of integers",
            "(to_int r)",
        ),
        (
            "(assert (let ((z 1) (z 2)) b))",
            "`z` is bound twice",
            "(z 2)",
        ),
        (
            "(assert (let (z) b))",
            "expected a binding (name term)",
            "z",
        ),
        ("(assert ())", "an empty list is no term", "()"),
        ("(assert b c)", "expected (assert formula)", "(assert b c)"),
        ("(declare-const x Int)", "`x` is declared already", "x"),
        (
            "(declare-const and Int)",
            "`and` has a meaning of its own",
            "and",
        ),
        (
            "(declare-const z (_ BitVec 8))",
            "this sort is not supported",
            "(_ BitVec 8)",
        ),
        (
            "(assert (= a ((as const (Array Int Int)) b)))",
            "expected sort Int, found a term of sort Bool",
            "b",
        ),
        (
            "(assert (= a ((as const Int) 0)))",
            "Int is no sort of arrays",
            "Int",
        ),
        (
            "(assert (= a ((as const (Array Int Bool)) false)))",
            "this sort is not supported",
            "(Array Int Bool)",
        ),
        (
            "(declare-sort S 0)",
            "the command `declare-sort` is not supported",
            "declare-sort",
        ),
        ("(pop 1)", "there are fewer levels to pop", "(pop 1)"),
        (
            "(assert (! b :named x))",
            "`x` is declared already",
            "(! b :named x)",
        ),
        ("(assert b", "this `(` is never closed", "("),
        ("(assert b))", "this `)` closes nothing", ")"),
        ("(assert (= x 1x))", "this is no number and no name", "1x"),
        ("(assert |b)", "this name has no closing bar", "|"),
        ("(echo \"b)", "this string has no closing quote", "\""),
        ("b", "expected a command such as `(assert ...)`", "b"),
        ("(assert (= x ä))", "this is no number and no name", "ä"),
    ] {
        assert_eq!(refusal(text), (message.into(), place.into()), "{text}");
    }
}

#[test]
fn what_is_printed_reads_back_as_the_same_term() {
    for seed in 0..1500 {
        let mut mixed = Mixed::new(seed);
        let (term, _) = mixed.bool(5);
        let text = mixed.store.smtlib(term);
        let symbols = mixed.store.symbols.len();
        let read = read::term(&mut mixed.store, &text);
        assert_eq!(read.as_ref(), Ok(&term), "seed {seed}: {text}");
        assert_eq!(mixed.store.symbols.len(), symbols);
        let text = mixed.store.readable(term);
        let read = read::term(&mut mixed.store, &text);
        assert_eq!(read.as_ref(), Ok(&term), "seed {seed}: {text}");
        // A script reads into an empty store too, and prints the same there.
        let script = mixed.store.smtlib_query(&[term]);
        let mut other = TermStore::new();
        let copy = asserted(&mut other, &script)[0];
        let mut memo = rustc_hash::FxHashMap::default();
        assert_eq!(
            mixed.store.copy(&other, copy, &mut memo),
            term,
            "seed {seed}"
        );
    }
}

#[test]
fn shared_terms_do_not_take_the_names_of_symbols() {
    let mut store = TermStore::new();
    let text = "(declare-const ?t3 Int) (declare-const x Int)
        (assert (and (< (div x 2) ?t3) (< ?t3 (* 2 (div x 2)))))";
    let term = asserted(&mut store, text)[0];
    let printed = store.smtlib(term);
    assert!(printed.contains("(let ((??t"), "{printed}");
    assert_eq!(read::term(&mut store, &printed), Ok(term));
}

#[test]
fn deep_nesting_needs_no_stack() {
    let depth = 100_000;
    let mut store = TermStore::new();
    store.fresh("x", Sort::Int);
    let lets: String = (0..depth)
        .map(|at| format!("(let ((v{} (+ v{at} 1))) ", at + 1))
        .collect();
    let text = format!(
        "(let ((v0 x)) {lets} (< v{depth} 5) {}",
        ")".repeat(depth + 1)
    );
    let term = read::term(&mut store, &text).expect("it should be read");
    assert_eq!(store.smtlib(term), format!("(<= (+ x {}) 0)", depth - 4));
    let text = format!("{} true {}", "(not ".repeat(depth), ")".repeat(depth));
    assert_eq!(read::term(&mut store, &text), Ok(store.bool(true)));
    let text = format!("(f {}", "(".repeat(depth));
    assert!(read::term(&mut store, &text).is_err());
    let text = format!(
        "{} 5 {}",
        "(div (ite (< x 0) x ".repeat(depth),
        ") 3)".repeat(depth)
    );
    let term = read::term(&mut store, &text).expect("it should be read");
    let printed = store.smtlib(term);
    assert_eq!(read::term(&mut store, &printed), Ok(term));
}

#[test]
fn values_are_printed_as_definitions() {
    let mixed = Mixed::new(3);
    let mut text = String::new();
    for symbol in mixed.store.symbols.ids() {
        let value = &mixed.values.symbols[&symbol];
        text += &mixed.store.smtlib_definition(symbol, value);
    }
    for function in mixed.store.functions.ids() {
        let value = &mixed.values.functions[&function];
        text += &mixed.store.smtlib_function(function, value);
    }
    assert!(text.contains("(ite (and"), "{text}");
    run(&mut TermStore::new(), &text).unwrap_or_else(|refusal| panic!("{refusal:?}: {text}"));
    let array = crate::ArrayValue::constant(Integer::ZERO);
    let array = array.store(Integer::from(-1i64), Integer::from(7i64));
    let expected = "(store ((as const (Array Int Int)) 0) (- 1) 7)";
    assert_eq!(TermValue::Array(array).smtlib(), expected);
}

#[test]
fn people_see_two_sides() {
    let mut store = TermStore::new();
    asserted(&mut store, DECLARED);
    for (text, expected) in [
        ("(<= x 3)", "(<= x 3)"),
        ("(not (<= x 3))", "(<= 4 x)"),
        ("(< x y)", "(< x y)"),
        ("(<= (+ x 4) (* 2 y))", "(<= (+ x 4) (* 2 y))"),
        ("(<= (+ x y) (- 4))", "(<= (+ x y) (- 4))"),
        ("(= (- x y) 2)", "(= x (+ y 2))"),
        ("(= (+ x y) 0)", "(= (+ x y) 0)"),
        ("(< r 1.5)", "(< r (/ 3.0 2.0))"),
        ("(<= r x)", "(<= r (to_real x))"),
        ("(>= r 0)", "(<= 0.0 r)"),
        ("(= (mod x 2) 0)", "(= (mod x 2) 0)"),
        (
            "(and (<= x y) (distinct x y))",
            "(and (<= x y) (not (= x y)))",
        ),
    ] {
        let term = read::term(&mut store, text).expect("it should be read");
        assert_eq!(store.readable(term), expected, "{text}");
    }
}
