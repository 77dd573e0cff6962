//! Small texts and their trees.

use crate::ast::{Ast, Builtin, ExprKind, Linkage, StmtKind};
use crate::types::{DataModel, Type};
use crate::{Options, parse};
use base::{Diagnostics, Severity, SourceMap};

/// Parses texts as units of one program; the messages are `line: message (help)`.
fn parse_all(texts: &[&str], severity: Severity) -> (Ast, Vec<String>) {
    let mut map = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let files: Vec<_> = texts
        .iter()
        .map(|text| map.add("t.i", text.as_bytes().to_vec()).unwrap())
        .collect();
    let options = Options {
        model: DataModel::Lp64,
    };
    let ast = parse(&mut map, &files, &options, &mut diagnostics);
    let messages = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == severity)
        .map(|diagnostic| {
            let line = map.presumed(diagnostic.span).map_or(0, |at| at.line);
            match &diagnostic.help {
                Some(help) => format!("{line}: {} ({help})", diagnostic.message),
                None => format!("{line}: {}", diagnostic.message),
            }
        })
        .collect();
    (ast, messages)
}

fn good(texts: &[&str]) -> Ast {
    let (ast, errors) = parse_all(texts, Severity::Error);
    assert_eq!(errors, [""; 0]);
    ast
}

fn errors(texts: &[&str]) -> Vec<String> {
    parse_all(texts, Severity::Error).1
}

#[test]
fn one_message_a_mistake() {
    let text = "\
int f(int count) {
  int total = 0
  for (int i = 0; i < count; i++) totl += i;
  total = total + ;
  unknown_t *q;
  q = q + totl * 3;
  if (total > 3 { total--; }
  int a[3;
  a[1] = 2;
  return total
}
struct s { int a; }
int g(struct s *p) { retrun p->b; }
int h(void) { return g(1, 2); }
";
    assert_eq!(
        errors(&[text]),
        [
            "2: expected ';' after the declaration, found 'for'",
            "3: 'totl' is not declared (did you mean 'total'?)",
            "4: expected an expression, found ';'",
            "5: unknown type name 'unknown_t'",
            "7: expected ')' to close the condition, found '{'",
            "8: expected ']' to close the array size, found ';'",
            "10: expected ';' after 'return', found '}'",
            "12: expected ';' after the definition of the type, found 'int'",
            "13: 'retrun' is not declared (did you mean 'return'?)",
            "13: expected ';' after the expression, found 'p'",
            "14: too many arguments for 'g': 1 wanted, 2 given",
        ]
    );
}

#[test]
fn what_runs_around_main_is_kept_or_not_modelled() {
    for (attribute, name) in [
        ("constructor", None),
        ("constructor(101)", Some("constructor")),
        ("__destructor__", Some("__destructor__")),
    ] {
        let text = format!("int x;\n__attribute__(({attribute})) void f(void) {{ x = 1; }}\n");
        let ast = good(&[&text]);
        let found: Vec<_> = ast.unmodelled.iter().map(|row| &*row.what).collect();
        let name = name.map(|name| format!("the attribute '{name}'"));
        assert_eq!(found, Vec::from_iter(name), "{attribute}");
        let is_kept = ast.functions.iter().any(|row| row.constructor);
        assert_eq!(is_kept, attribute == "constructor", "{attribute}");
    }
}

#[test]
fn an_alias_has_the_body_of_its_function() {
    let ast = good(&[
        "static int f(void) { return 3; } int g(void) __attribute__((alias(\"f\"))); \
         int h(void) __asm__(\"f\"); int k(void) __asm__(\"elsewhere\");",
    ]);
    let bodies: Vec<_> = ast.functions.iter().map(|row| row.body.is_some()).collect();
    assert_eq!(bodies, [true, true, true, false]);
    assert!(ast.unmodelled.is_empty());
    let ast = good(&["int g(void) __attribute__((alias(\"nothing\")));"]);
    assert_eq!(ast.unmodelled.len(), 1);
}

#[test]
fn a_function_with_members_of_variable_length_is_not_modelled() {
    let ast = good(&[
        "int g(int n) { struct { int a[n]; } s; return sizeof s; } int h(void) { \
                      return 1; }",
    ]);
    let unmodelled = |name: &str| {
        let function = ast.functions.iter().find(|row| *row.name == *name).unwrap();
        let body = function.body.as_ref().unwrap();
        body.unmodelled.as_ref().map(|row| row.what.to_string())
    };
    assert_eq!(
        unmodelled("g").as_deref(),
        Some("members of variable length")
    );
    assert_eq!(unmodelled("h"), None);
    assert!(ast.unmodelled.is_empty());
}

#[test]
fn complex_operations_have_types() {
    let ast = good(&[
        "_Complex float a = 1 + 2.0fi; float b; int f(double _Complex z, int n) { \
         return (__real__ z > 1) + (a == z) + sizeof(a + b) + sizeof(z * 2) + (n ? a : b != 0) \
         + !z; } void g(void) { a += 1; a++; b = a; }",
    ]);
    assert!(ast.unmodelled.is_empty());
    let (_, errors) = (
        ast,
        errors(&["_Complex float a; float *f(void) { return a; }"]),
    );
    assert_eq!(errors.len(), 1, "{errors:?}");
}

#[test]
fn words_of_cbmc_are_understood() {
    good(&[
        "__CPROVER_size_t n; _Static_assert(sizeof n == sizeof(void *), \"\"); __CPROVER_bool b; \
         int f(int x, int y) { return x > 0 ==> y > 0 ==> b; } \
         _Static_assert((0 ==> 0) && !(1 ==> 0) && (1 ==> 1) && (0 ==> 1), \"\"); \
         _Static_assert((0 ==> 1 ==> 0) && ((1 ==> 0 ? 3 : 4) == 4), \"\"); \
         int g(int *a) { return __CPROVER_forall { int i; 0 <= i && i < 3 ==> a[i] }; }",
    ]);
    for text in ["int x = 1 == > 1;", "int f(int x) { return x ==>; }"] {
        assert_eq!(errors(&[text]).len(), 1, "{text}");
    }
}

#[test]
fn a_transparent_union_takes_its_members() {
    good(&[
        "union w { int i; }; typedef union { int *a; union w *b; } u \
         __attribute__((__transparent_union__)); int take(u); int f(int *x, union w *y) { \
         return take(x) + take(y); }",
    ]);
}

#[test]
fn units_link_by_name() {
    let ast = good(&[
        "extern int shared; static int own = 1; struct s { int a; }; int use(struct s *p);
         int main(void) { struct s x = { own }; return use(&x) + shared; }",
        "int shared = 3; static int own = 2; struct s { int a; };
         int use(struct s *p) { return p->a + own; }",
    ]);
    let names: Vec<_> = ast
        .globals
        .iter()
        .map(|global| (&*global.name, global.defined, global.linkage))
        .collect();
    assert_eq!(
        names,
        [
            ("shared", true, Linkage::External),
            ("own", true, Linkage::Internal),
            ("own", true, Linkage::Internal),
        ]
    );
    assert!(ast.functions.iter().all(|function| function.body.is_some()));
    assert_eq!(ast.functions.len(), 2);
    assert_eq!(
        errors(&[
            "int x = 1; int f(void) { return 0; } struct s { int a; } v; int same;",
            "double x; int f(void) { return 1; } extern struct s { int b; } v; extern int same;",
        ]),
        [
            "1: 'x' has type 'double' here but 'int' in another file",
            "1: 'f' is defined in two files",
            "1: 'v' has type 'struct s' here but 'struct s' in another file",
        ]
    );
    good(&[
        "inline int f(void) { return 1; } static int g(void) { return f(); }",
        "inline int f(void) { return 1; } static int g(void) { return f(); }",
    ]);
}

#[test]
fn static_locals_are_globals() {
    let ast = good(&["int f(void) { static int n; { static int n = 2; n++; } return n++; }"]);
    let names: Vec<_> = ast.globals.iter().map(|global| &*global.name).collect();
    assert_eq!(names, ["f.n", "f.n.2"]);
}

#[test]
fn lengths_are_held_in_hidden_locals() {
    let ast = good(&["int f(int n, int a[n + 1][n], int b[n]) { return sizeof *a; }"]);
    let function = ast.functions.iter().next().unwrap();
    let body = function.body.as_ref().unwrap();
    let names: Vec<_> = body.locals.iter().map(|local| &*local.name).collect();
    assert_eq!(names, ["n", "a", "b", ""]);
    let kinds: Vec<_> = body.block.stmts.iter().map(|stmt| &stmt.kind).collect();
    let [StmtKind::Expr(set), StmtKind::Return(Some(_))] = kinds[..] else {
        panic!("{kinds:?}");
    };
    assert!(matches!(set.kind, ExprKind::Assign(..)));
}

#[test]
fn old_style_parameters_arrive_promoted() {
    let ast = good(&["int f(c, x) char c; { return c + x; }"]);
    let function = ast.functions.iter().next().unwrap();
    assert_eq!(ast.types.display(function.ty), "int (int, int)");
    let body = function.body.as_ref().unwrap();
    let names: Vec<_> = body.locals.iter().map(|local| &*local.name).collect();
    assert_eq!(names, ["", "x", "c"]);
    assert!(matches!(body.block.stmts[0].kind, StmtKind::Declare(_)));
}

#[test]
fn builtins_are_functions_or_themselves() {
    let ast = good(&["int f(int *p, char *s) {
           __builtin_memset(p, 0, 4); __builtin_abort(); malloc(3);
           return __builtin_ctz(3) + __sync_fetch_and_add(p, 1);
         }"]);
    let known: Vec<_> = ast
        .functions
        .iter()
        .map(|function| format!("{} {}", function.name, ast.types.display(function.ty)))
        .collect();
    assert_eq!(
        known[1..],
        [
            "memset void *(void *, int, unsigned long)",
            "abort void (void)",
            "malloc void *(unsigned long)",
        ]
    );
    let body = ast.functions.iter().next().unwrap().body.as_ref().unwrap();
    let StmtKind::Return(Some(sum)) = &body.block.stmts[3].kind else {
        panic!("the last statement should return");
    };
    let ExprKind::Binary(_, a, b) = &sum.kind else {
        panic!("a sum should be returned");
    };
    let builtin = |expr: &crate::ast::Expr| match &expr.kind {
        ExprKind::Builtin { builtin, .. } => *builtin,
        _ => Builtin::Trap,
    };
    assert_eq!(builtin(a), Builtin::Ctz);
    assert_eq!(builtin(b), Builtin::Unmodelled("__sync_fetch_and_add"));
}

#[test]
fn flexible_arrays_lengthen_their_object_only() {
    let ast = good(&["struct s { int n; int a[]; } x = { 2, { 3, 4 } }; int n = sizeof x;"]);
    let mut globals = ast.globals.iter();
    let object = globals.next().unwrap();
    assert_eq!(ast.types.size_of(object.ty.ty), Some(12));
    let size = globals.next().unwrap().init.as_ref().unwrap();
    let crate::ast::InitValue::Expr(value) = &size.items[0].value else {
        panic!("an int should be set to an expression");
    };
    assert!(matches!(&value.kind, ExprKind::Int(size) if size.to_u64() == Some(4)));
}

#[test]
fn warnings_stay_out_of_system_headers() {
    let text = "# 1 \"h.h\" 1 3\nstatic int f(void) { int *p = 1; return *p; }\n# 2 \"t.c\" 2\n\
                int g(void) { int *p = 1; return *p; }\n";
    let (_, warnings) = parse_all(&[text], Severity::Warning);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

#[test]
fn words_of_c23_give_way_to_declarations() {
    good(&["bool b = true; static_assert(sizeof(bool) == 1); void *p = nullptr;"]);
    good(&[
        "typedef int bool; enum { false, true }; bool b = true; int f(int alignas) { return alignas; }",
    ]);
    let ast =
        good(&["typedef enum { false, true } bool; bool f(void) { bool r = false; return r; }"]);
    let function = ast.functions.iter().next().unwrap();
    let ret = ast.types.function(function.ty).unwrap().ret.ty;
    assert!(matches!(ast.types.get(ret), Type::Enum(_)));
}
