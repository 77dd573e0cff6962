//! The syntax tree as indented text, one node per line: `cairn dump ast`.
//!
//! Unused declarations, of which headers bring hundreds, are left out unless there is nothing else.

use crate::ast::visit::{Visitor, walk_expr};
use crate::ast::{
    Ast, Block, Body, Expr, ExprKind, Function, FunctionId, Global, GlobalId, InitValue,
    Initializer, Linkage, LocalDecl, LocalId, Stmt, StmtKind, StringLiteral,
};
use base::{IdVec, define_id};
use std::fmt::Write;

/// All functions and globals that are defined or used.
pub fn print(ast: &Ast) -> String {
    let mut entries: IdVec<EntryId, Entry> = IdVec::new();
    let globals: Vec<EntryId> = ast
        .globals
        .iter()
        .map(|global| entries.push(print_global(ast, global)))
        .collect();
    let functions: Vec<EntryId> = ast
        .functions
        .iter()
        .map(|function| entries.push(print_function(ast, function)))
        .collect();
    let shown = used(&entries, &globals, &functions);
    entries
        .iter_enumerated()
        .filter(|&(id, _)| shown[id])
        .map(|(_, entry)| entry.text.as_str())
        .collect()
}

define_id! {
    /// A printed function or global.
    EntryId = "entry";
}

/// A printed function or global and what it names.
struct Entry {
    text: String,
    /// Whether it is shown even if it is not used.
    root: bool,
    names: Vec<Named>,
}

#[derive(Clone, Copy)]
enum Named {
    Global(GlobalId),
    Function(FunctionId),
}

/// What the roots reach; everything where there is no root.
fn used(
    entries: &IdVec<EntryId, Entry>,
    globals: &[EntryId],
    functions: &[EntryId],
) -> IdVec<EntryId, bool> {
    use base::Id;
    let mut frontier: Vec<EntryId> = entries.ids().filter(|&id| entries[id].root).collect();
    let mut shown = IdVec::filled(frontier.is_empty(), entries.len());
    for &id in &frontier {
        shown[id] = true;
    }
    while let Some(id) = frontier.pop() {
        for name in &entries[id].names {
            let next = match name {
                Named::Global(id) => globals[id.index()],
                Named::Function(id) => functions[id.index()],
            };
            if !std::mem::replace(&mut shown[next], true) {
                frontier.push(next);
            }
        }
    }
    shown
}

fn print_global(ast: &Ast, global: &Global) -> Entry {
    let mut printer = Printer::new(ast, None);
    let defined = if global.defined { "" } else { "extern " };
    let align = global
        .align
        .map_or(String::new(), |n| format!(" align {n}"));
    printer.line(format!(
        "{defined}global {} : {}{}{align}",
        global.name,
        ast.types.display(global.ty),
        linkage(global.linkage),
    ));
    if let Some(init) = &global.init {
        printer.nested(|printer| printer.initializer(init));
    }
    printer.finish(global.defined && global.linkage == Linkage::External)
}

fn print_function(ast: &Ast, function: &Function) -> Entry {
    let mut printer = Printer::new(ast, function.body.as_ref());
    let extern_ = if function.body.is_some() {
        ""
    } else {
        "extern "
    };
    let noreturn = if function.noreturn { " noreturn" } else { "" };
    let implicit = if function.implicit { " implicit" } else { "" };
    printer.line(format!(
        "{extern_}function {} : {}{}{noreturn}{implicit}",
        function.name,
        ast.types.display(function.ty),
        linkage(function.linkage),
    ));
    if let Some(body) = &function.body {
        printer.nested(|printer| {
            for &param in &body.params {
                let ty = ast.types.display(body.locals[param].ty);
                printer.line(format!("param {} : {ty}", local_name(body, param)));
            }
            printer.block(&body.block);
        });
    }
    printer.finish(function.body.is_some() && function.linkage == Linkage::External)
}

fn linkage(linkage: Linkage) -> &'static str {
    match linkage {
        Linkage::External => "",
        Linkage::Internal => " static",
    }
}

/// The name with its id, as two locals may share a name.
fn local_name(body: &Body, id: LocalId) -> String {
    let name = &body.locals[id].name;
    if name.is_empty() {
        id.to_string()
    } else {
        format!("{name}.{id}")
    }
}

struct Printer<'a> {
    ast: &'a Ast,
    body: Option<&'a Body>,
    text: String,
    depth: usize,
    names: Vec<Named>,
}

impl<'a> Printer<'a> {
    fn new(ast: &'a Ast, body: Option<&'a Body>) -> Self {
        Printer {
            ast,
            body,
            text: String::new(),
            depth: 0,
            names: Vec::new(),
        }
    }

    fn finish(self, root: bool) -> Entry {
        Entry {
            text: self.text,
            root,
            names: self.names,
        }
    }

    fn line(&mut self, line: impl AsRef<str>) {
        self.text += &"  ".repeat(self.depth);
        self.text += line.as_ref();
        self.text.push('\n');
    }

    fn nested(&mut self, inside: impl FnOnce(&mut Self)) {
        self.depth += 1;
        inside(self);
        self.depth -= 1;
    }

    /// A line with its parts below it.
    fn node(&mut self, line: impl AsRef<str>, parts: impl FnOnce(&mut Self)) {
        self.line(line);
        self.nested(parts);
    }

    fn local(&self, id: LocalId) -> String {
        self.body
            .map_or(id.to_string(), |body| local_name(body, id))
    }

    fn label(&self, id: crate::ast::LabelId) -> String {
        self.body
            .and_then(|body| body.labels.get(id))
            .map_or(id.to_string(), |label| format!("{}.{id}", label.name))
    }

    fn declare(&mut self, word: &str, decl: &LocalDecl) {
        let ty = self
            .body
            .map(|body| &body.locals[decl.local])
            .map_or(String::new(), |local| self.ast.types.display(local.ty));
        self.node(format!("{word} {} : {ty}", self.local(decl.local)), |p| {
            for (length, e) in &decl.lengths {
                p.node(format!("length {length}"), |p| p.expr(e));
            }
            if let Some(init) = &decl.init {
                p.initializer(init);
            }
        });
    }

    fn initializer(&mut self, init: &Initializer) {
        let rest = if init.zero_rest { ", rest zero" } else { "" };
        self.node(format!("init{rest}"), |p| {
            for item in &init.items {
                let bits = match item.bits {
                    Some(bits) => format!(" bits {}+{}", bits.start, bits.width),
                    None => String::new(),
                };
                let ty = p.ast.types.display(item.ty);
                let place = format!("at {}{bits} : {ty}", item.offset);
                match &item.value {
                    InitValue::Expr(e) => p.node(place, |p| p.expr(e)),
                    InitValue::String(id) => {
                        let text = quoted(&p.ast.strings[*id]);
                        p.line(format!("{place} = {text}"));
                    }
                }
            }
        });
    }

    /// What the node itself is.
    fn word(&mut self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Int(value) => format!("int {value}"),
            ExprKind::Float(value) => format!("float {value:?}"),
            ExprKind::String(id) => format!("string {}", quoted(&self.ast.strings[*id])),
            ExprKind::Global(id) => {
                self.names.push(Named::Global(*id));
                format!("global {}", self.ast.globals[*id].name)
            }
            ExprKind::Local(id) => format!("local {}", self.local(*id)),
            ExprKind::Function(id) => {
                self.names.push(Named::Function(*id));
                format!("function {}", self.ast.functions[*id].name)
            }
            ExprKind::Deref(_) => "deref".to_string(),
            ExprKind::AddressOf(_) => "address of".to_string(),
            ExprKind::Member { record, field } => {
                let field = self.ast.types.field(record.ty.ty, *field);
                let name = field.and_then(|field| field.name.as_deref());
                format!("member {}", name.unwrap_or("<unnamed>"))
            }
            ExprKind::Unary(op, _) => format!("unary {op:?}"),
            ExprKind::Binary(op, ..) => format!("binary {op:?}"),
            ExprKind::Increment {
                decrement, postfix, ..
            } => {
                let word = if *decrement { "decrement" } else { "increment" };
                let when = if *postfix { "after" } else { "before" };
                format!("{word} {when}")
            }
            ExprKind::Assign(..) => "assign".to_string(),
            ExprKind::AssignOp {
                op, computation, ..
            } => {
                let ty = self.ast.types.display(*computation);
                format!("assign {op:?} in {ty}")
            }
            ExprKind::Conditional { .. } => "conditional".to_string(),
            ExprKind::Cast(kind, _, explicit) => {
                let written = if *explicit { " explicit" } else { "" };
                format!("cast {kind:?}{written}")
            }
            ExprKind::Call { .. } => "call".to_string(),
            ExprKind::Builtin { builtin, .. } => format!("builtin {builtin:?}"),
            ExprKind::CompoundLiteral(_) => "compound literal".to_string(),
            ExprKind::Statement(_) => "statement".to_string(),
            ExprKind::VaArg(_) => "va_arg".to_string(),
            ExprKind::LabelAddress(label) => format!("label {}", self.label(*label)),
            ExprKind::SizeofVariable(ty) => {
                format!("sizeof {}", self.ast.types.display(*ty))
            }
        }
    }

    fn operands(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Conditional {
                condition,
                then: None,
                otherwise,
            } => {
                self.expr(condition);
                self.line("itself");
                self.expr(otherwise);
            }
            ExprKind::CompoundLiteral(decl) => self.declare("hidden", decl),
            _ => walk_expr(self, e),
        }
    }
}

impl Visitor for Printer<'_> {
    fn block(&mut self, block: &Block) {
        self.node("block", |printer| {
            for stmt in &block.stmts {
                printer.stmt(stmt);
            }
        });
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Empty => self.line("empty"),
            StmtKind::Expr(e) => self.node("expr", |p| p.expr(e)),
            StmtKind::Declare(decl) => self.declare("declare", decl),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => self.node("if", |p| {
                p.expr(condition);
                p.node("then", |p| p.stmt(then));
                if let Some(otherwise) = otherwise {
                    p.node("else", |p| p.stmt(otherwise));
                }
            }),
            StmtKind::While { condition, body } => self.node("while", |p| {
                p.expr(condition);
                p.stmt(body);
            }),
            StmtKind::DoWhile { body, condition } => self.node("do", |p| {
                p.stmt(body);
                p.node("while", |p| p.expr(condition));
            }),
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => self.node("for", |p| {
                p.node("init", |p| init.iter().for_each(|stmt| p.stmt(stmt)));
                if let Some(condition) = condition {
                    p.node("condition", |p| p.expr(condition));
                }
                if let Some(step) = step {
                    p.node("step", |p| p.expr(step));
                }
                p.stmt(body);
            }),
            StmtKind::Switch { value, cases, body } => self.node("switch", |p| {
                p.expr(value);
                for (index, case) in cases.iter().enumerate() {
                    p.line(match case.range {
                        None => format!("case #{index} default"),
                        Some((low, high)) if low == high => format!("case #{index} {low}"),
                        Some((low, high)) => format!("case #{index} {low} ... {high}"),
                    });
                }
                p.stmt(body);
            }),
            StmtKind::Case { index, body } => {
                self.node(format!("at case #{index}"), |p| p.stmt(body));
            }
            StmtKind::Label { label, body } => {
                let label = self.label(*label);
                self.node(format!("label {label}"), |p| p.stmt(body));
            }
            StmtKind::Goto(label) => self.line(format!("goto {}", self.label(*label))),
            StmtKind::ComputedGoto(e) => self.node("goto *", |p| p.expr(e)),
            StmtKind::Break => self.line("break"),
            StmtKind::Continue => self.line("continue"),
            StmtKind::Return(None) => self.line("return"),
            StmtKind::Return(Some(e)) => self.node("return", |p| p.expr(e)),
            StmtKind::Asm => self.line("asm"),
        }
    }

    fn expr(&mut self, e: &Expr) {
        let word = self.word(e);
        self.line(format!("{word} : {}", self.ast.types.display(e.ty)));
        self.nested(|p| p.operands(e));
    }
}

/// A string as C could spell it, without its final zero.
fn quoted(string: &StringLiteral) -> String {
    let mut text = String::from(match string.width {
        1 => "\"",
        2 => "u\"",
        _ => "U\"",
    });
    let elements = string.bytes.chunks_exact(usize::from(string.width));
    let count = elements.len().saturating_sub(1);
    for element in elements.take(count) {
        let value = element
            .iter()
            .rev()
            .fold(0u32, |value, &byte| value << 8 | u32::from(byte));
        match char::from_u32(value) {
            Some('"') => text.push_str("\\\""),
            Some('\\') => text.push_str("\\\\"),
            Some('\n') => text.push_str("\\n"),
            Some(character @ ' '..='~') => text.push(character),
            _ => write!(text, "\\x{value:x}").expect("writing to a string should not fail"),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> String {
        let mut map = base::SourceMap::new();
        let file = map.add("t.i", text.into()).unwrap();
        let mut diagnostics = base::Diagnostics::new();
        let options = crate::Options::default();
        let ast = crate::parse(&mut map, &[file], &options, &mut diagnostics);
        assert!(!diagnostics.has_errors());
        print(&ast)
    }

    #[test]
    fn prints_what_is_used() {
        let text = "extern int unused(int); static int helper(void); extern int limit;\n\
                    static int never(void) { return 0; }\n\
                    struct s { int a; char b[4]; } v = { 1, \"ab\" };\n\
                    int main(void) { int x = 3; if (x < limit) x += v.a; return x; }\n";
        assert_eq!(printed(text), EXPECTED);
    }

    const EXPECTED: &str = r#"extern global limit : int
global v : struct s
  init, rest zero
    at 0 : int
      int 1 : int
    at 4 : char [4] = "ab"
function main : int (void)
  block
    declare x.v0 : int
      init
        at 0 : int
          int 3 : int
    if
      binary Lt : int
        local x.v0 : int
        global limit : int
      then
        expr
          assign Add in int : int
            local x.v0 : int
            member a : int
              global v : struct s
    return
      local x.v0 : int
"#;

    #[test]
    fn prints_declarations_where_there_is_nothing_else() {
        let text = printed("extern int f(int); extern const char *s[2];");
        assert_eq!(
            text,
            "extern global s : const char *[2]\nextern function f : int (int)\n"
        );
    }
}
