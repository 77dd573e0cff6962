//! The definitions of a driver, one function at a time.

use super::{Failing, function, spell, values};
use cfront::ast::{Function, FunctionId, Linkage};
use cfront::types::{FunctionType, Type as CType};
use program::expr::Constant;
use program::ir::{Site, SiteId, SiteKind};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What every driver has: it tells what it gives, and fails loudly.
const COMMON: &str = r#"extern int dprintf(int file, const char *format, ...);
extern void abort(void);
extern void exit(int status);
extern void _Exit(int status);

static void cairn_tell(const char *name, const char *value) {
  static int told;
  if (told < 1000)
    dprintf(2, "cairn: %s() = %s\n", name, value);
  else if (told == 1000)
    dprintf(2, "cairn: further inputs are not told\n");
  told++;
}
"#;

/// How a failure ends the run, by the address of the call that led there.
const FAILED: &str = r#"
#define CAIRN_CALLER ((char *)__builtin_return_address(0) - 1)
static void cairn_failed(const char *what, char *caller) {
#ifdef CAIRN_CONFIRM
  dprintf(2, "\ncairn: failed at %p\n", (void *)caller);
#endif
  dprintf(2, "cairn: %s\n", what);
  abort();
}
"#;

/// Failing assertions of the C libraries we know, and the error functions, even where the program defines them:
/// what `--confirm` needs behind the rest.
pub(super) const CONFIRM: &str = r#"
#ifdef CAIRN_CONFIRM
void reach_error() { cairn_failed("reach_error() was called", CAIRN_CALLER); }
void __VERIFIER_error() { cairn_failed("__VERIFIER_error() was called", CAIRN_CALLER); }
void __assert_fail() { cairn_failed("an assertion failed", CAIRN_CALLER); }
void __assert_rtn() { cairn_failed("an assertion failed", CAIRN_CALLER); }
void __assert_func() { cairn_failed("an assertion failed", CAIRN_CALLER); }
#endif
"#;

/// The definition of a function with a meaning of its own, which the program only declares.
fn special(name: &str) -> Option<String> {
    const FAILED: &str = "cairn_failed(\"an assertion failed\", CAIRN_CALLER)";
    Some(match name {
        "reach_error" | "__VERIFIER_error" => format!(
            "#ifndef CAIRN_CONFIRM\nvoid {name}() {{ cairn_failed(\"{name}() was called\", \
             CAIRN_CALLER); }}\n#endif"
        ),
        "__VERIFIER_assert" | "assert" | "sassert" => {
            format!("void {name}(int c) {{ if (!c) {FAILED}; }}")
        }
        "__CPROVER_assert"
        | "__ESBMC_assert"
        | "__CPROVER_precondition"
        | "__CPROVER_postcondition" => format!(
            "void {name}(int c, const char *m) {{ if (!c) cairn_failed(m, CAIRN_CALLER); }}"
        ),
        "__VERIFIER_assert_not" => format!("void {name}(int c) {{ if (c) {FAILED}; }}"),
        "__VERIFIER_assert_if" => {
            format!("void {name}(int g, int c) {{ if (g && !c) {FAILED}; }}")
        }
        "__VERIFIER_assume" | "assume_abort_if_not" | "assume" => {
            format!("void {name}(int c) {{ if (!c) _Exit(0); }}")
        }
        "__CPROVER_assume" | "__ESBMC_assume" | "__SEA_assume" => {
            format!("void {name}(int c) {{ if (!c) _Exit(0); }}")
        }
        "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => format!("void {name}() {{}}"),
        "__CPROVER_atomic_begin" | "__CPROVER_atomic_end" => format!("void {name}() {{}}"),
        "__ESBMC_atomic_begin" | "__ESBMC_atomic_end" => format!("void {name}() {{}}"),
        "__CPROVER_output" | "__CPROVER_printf" => format!("int {name}() {{ return 0; }}"),
        "__CPROVER_cover" | "__ESBMC_cover" => format!("void {name}() {{}}"),
        _ => return None,
    })
}

/// Functions of the C library whose values are inputs.
const TAKEN: &[&str] = &["rand", "random", "getchar", "getchar_unlocked"];

/// The function that fills memory.
const MEMORY: &str = "__VERIFIER_nondet_memory";

/// The definitions so far.
pub(super) struct Definitions<'a> {
    pub(super) failing: &'a Failing<'a>,
    pub(super) text: String,
    pub(super) shadows: Vec<String>,
    /// The values of each function, in order.
    lists: BTreeMap<&'a str, Vec<Constant>>,
}

impl<'a> Definitions<'a> {
    pub(super) fn new(failing: &'a Failing<'a>) -> Self {
        let mut lists: BTreeMap<&str, Vec<Constant>> = BTreeMap::new();
        let is_call = |row: &Site| matches!(row.kind, SiteKind::Nondet | SiteKind::External);
        let sites = &failing.loaded.program.sites;
        for row in sites.iter().filter(|row| is_call(row)) {
            lists.entry(&row.name).or_default();
        }
        for &(site, value) in failing.inputs {
            let row = &sites[site];
            if is_call(row) {
                lists.entry(&row.name).or_default().push(value);
            }
        }
        Definitions {
            failing,
            text: format!("{COMMON}{FAILED}"),
            shadows: Vec::new(),
            lists,
        }
    }

    /// Defines a function, if the program leaves that to others.
    pub(super) fn function(&mut self, id: FunctionId, row: &Function) {
        let name = &*row.name;
        let is_input = self.lists.contains_key(name);
        let is_declared = row.linkage == Linkage::External && row.body.is_none();
        if !is_declared || name.starts_with("__builtin_") {
            return;
        }
        if let Some(text) = special(name) {
            let _ = writeln!(self.text, "{text}");
            return;
        }
        let ast = self.failing.ast;
        if name == MEMORY {
            self.memory();
        } else if lower::is_intrinsic(ast, id) {
            // Also where no run gets to: the linker asks for it.
            self.unknown(id, row);
        } else if lower::is_library(ast, id) {
            if is_input && TAKEN.contains(&name) {
                self.shadows.push(name.to_owned());
                self.input(id, row);
            }
        } else {
            self.unknown(id, row);
        }
    }

    /// Whether a function is a verifier's that only ends the run in a driver, as no value is known that
    /// it might return.
    pub(super) fn has_no_answer(&self, id: FunctionId, row: &Function) -> bool {
        let name = &*row.name;
        let is_declared = row.linkage == Linkage::External && row.body.is_none();
        let is_defined = special(name).is_some() || name == MEMORY || self.lists.contains_key(name);
        is_declared
            && !is_defined
            && lower::is_intrinsic(self.failing.ast, id)
            && !row.noreturn
            && !self.is_void(id)
    }

    /// An input of the run that no function of a driver can give.
    pub(super) fn refused(&self) -> Option<String> {
        let kind = |site: SiteId| self.failing.loaded.program.sites[site].kind;
        // A `main` that is started as it is gets one argument, its name.
        let first = values(self.failing, |site| kind(site) == SiteKind::Argument).next();
        let is_plain = self.failing.loaded.request.entry != "main"
            || first.is_none_or(|value| program::values::show(value) == "1");
        let mut inputs = self.failing.inputs.iter();
        inputs.find_map(|&(site, value)| {
            let row = &self.failing.loaded.program.sites[site];
            let is_given = match row.kind {
                SiteKind::Nondet
                | SiteKind::External
                | SiteKind::Uninitialized
                | SiteKind::Choice => true,
                SiteKind::Argument => is_plain,
                SiteKind::Failure => value == row.ty.zero() || super::failing::is_given(&row.name),
                SiteKind::Contents => {
                    value == row.ty.zero() || super::patch::is_patched(self.failing, site)
                }
                SiteKind::Outside | SiteKind::Cell => false,
            };
            (!is_given).then(|| format!("what `{}` is does not come from a function", row.name))
        })
    }

    /// A function that the program only declares, which returns any value and does nothing else.
    fn unknown(&mut self, id: FunctionId, row: &Function) {
        let name = &row.name;
        if row.noreturn {
            let _ = writeln!(self.text, "void {name}() {{ _Exit(0); }}");
        } else if self.is_void(id) {
            let _ = writeln!(self.text, "void {name}() {{}}");
        } else {
            self.input(id, row);
        }
    }

    fn is_void(&self, id: FunctionId) -> bool {
        let types = &self.failing.ast.types;
        let signature = self.signature(id);
        signature.is_some_and(|signature| matches!(types.get(signature.ret.ty), CType::Void))
    }

    fn signature(&self, id: FunctionId) -> Option<&'a FunctionType> {
        let types = &self.failing.ast.types;
        match types.get(self.failing.ast.functions[id].ty) {
            CType::Function(signature) => Some(signature),
            _ => None,
        }
    }

    /// A function that returns the values of the run.
    fn input(&mut self, id: FunctionId, row: &Function) {
        let types = &self.failing.ast.types;
        let ty = self
            .signature(id)
            .and_then(|signature| spell::scalar(types, signature.ret.ty));
        let Some(ty) = ty else {
            return;
        };
        let list = self.lists.get(&*row.name).cloned().unwrap_or_default();
        // What counts as the end of a file is any number below zero.
        let is_getchar = row.name.starts_with("getchar");
        let list = list.into_iter().map(|value| match value {
            Constant::Int(value) if is_getchar && value.is_negative() => "-1".to_owned(),
            other => spell::constant(other),
        });
        self.list(&row.name, ty, list.collect());
    }

    /// A function with a list of values, which tells each that it gives.
    pub(super) fn list(&mut self, name: &str, ty: &str, values: Vec<String>) {
        // A test has all inputs of its run, unless that was endless and is over here.
        let behind = match self.failing.violation {
            Some(_) => "return 0;",
            None => "exit(0);",
        };
        if values.is_empty() {
            let _ = writeln!(self.text, "{ty} {name}() {{ {behind} }}");
            return;
        }
        let _ = write!(
            self.text,
            "{ty} {name}() {{\n  static const struct {{ {ty} value; const char *text; }} \
             list[] = {{\n"
        );
        for value in &values {
            let shown = value.replace('"', "\\\"");
            let _ = writeln!(self.text, "    {{{value}, \"{shown}\"}},");
        }
        let _ = writeln!(
            self.text,
            "  }};\n  static unsigned long at;\n  if (at >= sizeof list / sizeof *list)\n    {behind}\n  \
             cairn_tell(\"{name}\", list[at].text);\n  return list[at++].value;\n}}"
        );
    }

    /// The function that fills memory, byte by byte.
    fn memory(&mut self) {
        let name = MEMORY;
        let bytes = self.lists.get(name).into_iter().flatten();
        let bytes = bytes.map(|&value| spell::constant(value)).collect();
        self.list("cairn_byte", "unsigned char", bytes);
        let _ = writeln!(
            self.text,
            "void {name}(void *to, __SIZE_TYPE__ count) {{\n  for (__SIZE_TYPE__ i = 0; i < count; \
             i++)\n    ((unsigned char *)to)[i] = cairn_byte();\n}}"
        );
    }

    /// The functions that a patched text takes its uninitialised values from.
    pub(super) fn uninitialised(&mut self) {
        if super::nonzero(self.failing).is_empty() {
            return;
        }
        self.text.push_str("#ifdef CAIRN_CONFIRM\n");
        for (site, row) in self.failing.loaded.program.sites.iter_enumerated() {
            if !super::patch::is_patched(self.failing, site) {
                continue;
            }
            let list = self.values_of(site);
            let list = list.into_iter().map(spell::constant).collect();
            let name = super::patch::name(site);
            self.list(&name, spell::holder(row.ty), list);
            if row.kind == SiteKind::Contents {
                let _ = writeln!(
                    self.text,
                    "void *malloc{name}(__SIZE_TYPE__ size) {{\n  unsigned char *made = \
                     __builtin_malloc(size);\n  for (__SIZE_TYPE__ i = 0; made && i < size; \
                     i++)\n    made[i] = {name}();\n  return made;\n}}"
                );
            }
        }
        self.text.push_str("#endif\n");
    }

    fn values_of(&self, site: SiteId) -> Vec<Constant> {
        values(self.failing, |other| other == site).collect()
    }

    /// A `main` that calls the entry function with the arguments of the run.
    pub(super) fn call_entry(&mut self) -> Result<(), String> {
        let name = &*self.failing.loaded.request.entry;
        let Some((id, _)) = function(self.failing.ast, name) else {
            return Err(format!("`{name}` is static: no other file can call it"));
        };
        let types = &self.failing.ast.types;
        let Some(signature) = self.signature(id) else {
            return Err(format!("`{name}` is no function"));
        };
        let sites = &self.failing.loaded.program.sites;
        let is_argument = |site: SiteId| sites[site].kind == SiteKind::Argument;
        let given: Vec<Constant> = values(self.failing, is_argument).collect();
        let is_plain =
            |ty| spell::scalar(types, ty).is_some() && !matches!(types.get(ty), CType::Pointer(_));
        let are_plain = signature.params.iter().all(|param| is_plain(param.ty));
        if !are_plain || given.len() != signature.params.len() {
            return Err(format!(
                "`{name}` has parameters that are not plain numbers"
            ));
        }
        let (mut params, mut args) = (Vec::new(), Vec::new());
        for (param, value) in signature.params.iter().zip(given) {
            params.push(spell::scalar(types, param.ty).unwrap_or("int").to_owned());
            args.push(spell::constant(value));
        }
        let list = if params.is_empty() {
            "void".to_owned()
        } else {
            params.join(", ")
        };
        let _ = writeln!(
            self.text,
            "#undef main\nextern int {name}({list});\nint main(void) {{\n  dprintf(2, \"cairn: \
             {name}({0})\\n\");\n  {name}({0});\n  return 0;\n}}",
            args.join(", ")
        );
        Ok(())
    }
}
