//! Prints programs in the text form.

use super::names::Names;
use super::words::{PRIMARY, UNARY, op_level};
use crate::expr::{BinaryOp, Constant, Expr, FloatType, Type, UnaryOp};
use crate::ir::*;
use base::{SourceMap, Span};
use std::fmt::Write;

/// What to say about spans.
#[derive(Clone, Copy)]
pub enum Spans<'s> {
    /// Nothing.
    Omit,
    /// A comment with file and line on every edge.
    Comments(&'s SourceMap),
}

/// The text of a program.
pub fn print(program: &Program, spans: Spans<'_>) -> String {
    let mut printer = Printer::new(program);
    printer.spans = spans;
    printer.program()
}

/// Prints parts of one program.
pub struct Printer<'p> {
    program: &'p Program,
    names: Names,
    spans: Spans<'p>,
}

impl<'p> Printer<'p> {
    /// A printer that says nothing about spans.
    pub fn new(program: &'p Program) -> Self {
        Printer {
            program,
            names: Names::new(program),
            spans: Spans::Omit,
        }
    }

    /// The names it uses.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// An expression.
    pub fn expr(&self, expr: &Expr) -> String {
        let mut out = String::new();
        self.expr_at(&mut out, expr, 0);
        out
    }

    /// An op.
    pub fn op(&self, op: &Op) -> String {
        match op {
            Op::Skip => "skip".into(),
            Op::Assign(place, value) => format!("{} := {}", self.place(place), self.expr(value)),
            Op::Assume(condition) => format!("assume {}", self.expr(condition)),
            Op::Havoc(place, site) => format!("havoc {} {site}", self.place(place)),
            Op::Call(call) => self.call(call),
            Op::Return(None) => "return".into(),
            Op::Return(Some(value)) => format!("return {}", self.expr(value)),
            Op::Halt(Halt::Abort) => "abort".into(),
            Op::Halt(Halt::Undefined(kind)) => format!("undefined {}", kind.name()),
            Op::Halt(Halt::Exit(status)) => format!("exit {}", self.expr(status)),
            Op::Enter(object) => format!("enter {}", self.names.objects[*object]),
            Op::Leave(object) => format!("leave {}", self.names.objects[*object]),
            Op::Unsupported(what) => format!("unsupported {}", quote(what)),
        }
    }

    fn program(&self) -> String {
        let mut out = String::new();
        self.print_program(&mut out)
            .expect("writing to a string should not fail");
        out
    }

    fn print_program(&self, out: &mut String) -> std::fmt::Result {
        let program = self.program;
        let entry = &self.names.procs[program.entry];
        writeln!(out, "program ptr {} entry {entry}", program.pointer_bytes)?;
        for assumption in &program.assumptions {
            writeln!(out, "assumption {}", quote(assumption))?;
        }
        for (id, var) in program.vars.iter_enumerated() {
            if var.scope == Scope::Global {
                let init = var.init.map(|init| format!(" = {}", constant(init)));
                writeln!(out, "global {}{}", self.var(id), init.unwrap_or_default())?;
            }
        }
        for (id, object) in program.objects.iter_enumerated() {
            if object.scope == Scope::Global {
                self.print_object(out, id, object)?;
            }
        }
        for (id, site) in program.sites.iter_enumerated() {
            let (kind, name) = (site.kind.name(), quote(&site.name));
            writeln!(out, "site {id}: {kind} {} {name}", site.ty)?;
        }
        for (id, inline) in program.inlines.iter_enumerated() {
            write!(out, "inline {id}: {}", quote(&inline.callee))?;
            if let Some(parent) = inline.parent {
                write!(out, " in {parent}")?;
            }
            writeln!(out)?;
        }
        for (id, procedure) in program.procs.iter_enumerated() {
            writeln!(out)?;
            self.print_procedure(out, id, procedure)?;
        }
        Ok(())
    }

    fn print_object(&self, out: &mut String, id: ObjectId, object: &Object) -> std::fmt::Result {
        let declared = declared(id, &self.names.objects[id], &object.name);
        write!(
            out,
            "object {declared}: {} align {}",
            object.size, object.align
        )?;
        if object.read_only {
            write!(out, " readonly")?;
        }
        if let Some(site) = object.contents {
            write!(out, " contents {site}")?;
        }
        let init = &object.init;
        if !init.bytes.is_empty() || !init.addresses.is_empty() {
            out.push_str(" = \"");
            for byte in &init.bytes {
                write!(out, "{byte:02x}")?;
            }
            out.push('"');
        }
        if !init.addresses.is_empty() {
            let addresses = init.addresses.iter().map(|(at, address)| {
                let base = match address.base {
                    AddressBase::Object(object) => &self.names.objects[object],
                    AddressBase::Proc(proc) => &self.names.procs[proc],
                };
                let sign = if address.offset < 0 { '-' } else { '+' };
                match address.offset.unsigned_abs() {
                    0 => format!("{at}: &{base}"),
                    offset => format!("{at}: &{base} {sign} {offset}"),
                }
            });
            write!(out, " [{}]", addresses.collect::<Vec<_>>().join(", "))?;
        }
        writeln!(out)
    }

    fn print_procedure(
        &self,
        out: &mut String,
        id: ProcId,
        procedure: &Procedure,
    ) -> std::fmt::Result {
        let program = self.program;
        let mut params: Vec<String> = procedure.params.iter().map(|&var| self.var(var)).collect();
        let further = procedure.varargs.iter();
        params.extend(further.map(|&var| format!("...{}", self.var(var))));
        let declared = declared(id, &self.names.procs[id], &procedure.name);
        write!(out, "proc {declared}({})", params.join(", "))?;
        if let Some(ret) = procedure.ret {
            write!(out, " -> {ret}")?;
        }
        let (entry, exit) = (procedure.entry, procedure.exit);
        writeln!(out, " entry {entry} exit {exit} {{")?;
        for (var, row) in program.vars.iter_enumerated() {
            let is_param = procedure.params.contains(&var) || procedure.varargs == Some(var);
            if row.scope == Scope::Local(id) && !is_param {
                writeln!(out, "  local {}", self.var(var))?;
            }
        }
        for (object, row) in program.objects.iter_enumerated() {
            if row.scope == Scope::Local(id) {
                out.push_str("  ");
                self.print_object(out, object, row)?;
            }
        }
        for row in &procedure.loops {
            let name = |(name, meaning): &(std::sync::Arc<str>, Meaning)| match meaning {
                Meaning::Var(var) => format!(" {} = {}", quote(name), self.names.vars[*var]),
                Meaning::Object(object) => {
                    format!(" {} = {}", quote(name), self.names.objects[*object])
                }
                Meaning::Other => format!(" {}", quote(name)),
            };
            let names: Vec<String> = row.names.iter().map(name).collect();
            writeln!(out, "  loop {}:{}", row.head, names.join(","))?;
        }
        for (location, row) in procedure.locations.iter_enumerated() {
            write!(out, "  {location}:")?;
            if let Some(violation) = &row.error {
                let (kind, message) = (violation.property.name(), quote(&violation.message));
                write!(out, " error {kind} {message}")?;
            }
            writeln!(out)?;
            for &edge in &row.out {
                let row = &procedure.edges[edge];
                write!(out, "    {edge}: {} -> {}", self.op(&row.op), row.target)?;
                if let Some(inline) = row.inlined {
                    write!(out, " via {inline}")?;
                }
                writeln!(out, "{}", self.comment(row.span))?;
            }
        }
        writeln!(out, "}}")
    }

    /// A declaration without its initial value.
    fn var(&self, id: VarId) -> String {
        let var = &self.program.vars[id];
        format!(
            "{}: {}",
            declared(id, &self.names.vars[id], &var.name),
            var.ty
        )
    }

    fn comment(&self, span: Span) -> String {
        match self.spans {
            Spans::Comments(sources) => match sources.presumed(span) {
                // A file's name may contain anything, also the end of a line.
                Some(at) => format!("  ; {}:{}", at.file.escape_debug(), at.line),
                None => String::new(),
            },
            Spans::Omit => String::new(),
        }
    }

    fn place(&self, place: &Place) -> String {
        match place {
            Place::Var(var) => self.names.vars[*var].clone(),
            Place::Mem(ty, address) => format!("{ty}[{}]", self.expr(address)),
        }
    }

    fn call(&self, call: &Call) -> String {
        let mut out = String::new();
        if let Some(result) = call.result {
            out.push_str(&self.names.vars[result]);
            out.push_str(" := ");
        }
        out.push_str(&match &call.callee {
            Callee::Proc(proc) => format!("call {}", self.names.procs[*proc]),
            Callee::Pointer(pointer) => format!("call *({})", self.expr(pointer)),
            Callee::Library(library) => format!("library {}", library.name()),
        });
        let mut args: Vec<String> = call.args.iter().map(|arg| self.expr(arg)).collect();
        args.extend(
            call.varargs
                .iter()
                .map(|rest| format!("...{}", self.expr(rest))),
        );
        out.push_str(&format!("({})", args.join(", ")));
        if let Some(site) = call.contents {
            out.push_str(&format!(" contents {site}"));
        }
        out
    }

    /// Prints an expression where everything binding weaker than `level` needs parentheses.
    fn expr_at(&self, out: &mut String, expr: &Expr, level: u8) {
        let own = match expr {
            Expr::Select(..) => 0,
            Expr::Binary(op, ..) => op_level(*op),
            Expr::Offset(..) => op_level(BinaryOp::Add),
            Expr::Unary(UnaryOp::Neg | UnaryOp::Not, ..) => UNARY,
            _ => PRIMARY,
        };
        let parens = own < level;
        if parens {
            out.push('(');
        }
        self.expr_bare(out, expr, own);
        if parens {
            out.push(')');
        }
    }

    fn expr_bare(&self, out: &mut String, expr: &Expr, own: u8) {
        match expr {
            Expr::Const(value) => out.push_str(&constant(*value)),
            Expr::Var(var) => out.push_str(&self.names.vars[*var]),
            Expr::Object(object) => {
                out.push('&');
                out.push_str(&self.names.objects[*object]);
            }
            Expr::Proc(proc) => {
                out.push('&');
                out.push_str(&self.names.procs[*proc]);
            }
            Expr::Load(ty, address) => {
                out.push_str(&format!("{ty}["));
                self.expr_at(out, address, 0);
                out.push(']');
            }
            Expr::Unary(op, ty, operand) => self.unary(out, *op, *ty, operand),
            Expr::Binary(op, _, left, right) => self.infix(out, own, op.name(), left, right),
            Expr::Offset(address, bytes) => self.infix(out, own, "++", address, bytes),
            Expr::Cast(ty, operand) => self.function(out, &ty.to_string(), &[operand]),
            Expr::Select(condition, then, otherwise) => {
                self.expr_at(out, condition, 1);
                out.push_str(" ? ");
                self.expr_at(out, then, 1);
                out.push_str(" : ");
                self.expr_at(out, otherwise, 1);
            }
            Expr::Overflows(op, _, left, right) => {
                out.push_str("overflows(");
                self.infix(out, op_level(*op), op.name(), left, right);
                out.push(')');
            }
            Expr::Valid(address, bytes, write) => {
                let name = if *write { "writable" } else { "valid" };
                self.function(out, name, &[address, bytes]);
            }
            Expr::Freeable(address) => self.function(out, "freeable", &[address]),
        }
    }

    fn infix(&self, out: &mut String, level: u8, op: &str, left: &Expr, right: &Expr) {
        // Comparisons do not chain, so their left operand must bind stronger, too.
        let comparison = level == op_level(BinaryOp::Eq);
        self.expr_at(out, left, if comparison { level + 1 } else { level });
        out.push_str(&format!(" {op} "));
        self.expr_at(out, right, level + 1);
    }

    fn unary(&self, out: &mut String, op: UnaryOp, ty: Type, operand: &Expr) {
        let sign = match op {
            UnaryOp::Neg => '-',
            UnaryOp::Not if ty == Type::Bool => '!',
            UnaryOp::Not => '~',
            UnaryOp::Popcount | UnaryOp::Clz | UnaryOp::Ctz | UnaryOp::Bswap => {
                return self.function(out, op.name(), &[operand]);
            }
        };
        out.push(sign);
        let atom = matches!(operand, Expr::Var(_) | Expr::Load(..) | Expr::Cast(..));
        if atom {
            self.expr_at(out, operand, PRIMARY);
        } else {
            // A minus sign and a number would be a constant.
            out.push('(');
            self.expr_at(out, operand, 0);
            out.push(')');
        }
    }

    fn function(&self, out: &mut String, name: &str, args: &[&Expr]) {
        out.push_str(name);
        out.push('(');
        for (index, arg) in args.iter().enumerate() {
            if index > 0 {
                out.push_str(", ");
            }
            self.expr_at(out, arg, 0);
        }
        out.push(')');
    }
}

/// An id, the name used, and the name in the source where it differs.
fn declared(id: impl std::fmt::Display, used: &str, name: &str) -> String {
    if used == name {
        format!("{id} {used}")
    } else {
        format!("{id} {used} {}", quote(name))
    }
}

fn constant(value: Constant) -> String {
    match value {
        Constant::Bool(value) => value.to_string(),
        Constant::Int(value) => format!("{value}{}", value.ty()),
        Constant::Float(FloatType::F32, bits) => {
            let float = f32::from_bits(bits as u32);
            if float.is_finite() && bits >> 32 == 0 {
                format!("{float:?}f32")
            } else {
                format!("f32 #{bits:x}")
            }
        }
        Constant::Float(FloatType::F64, bits) => {
            let float = f64::from_bits(bits);
            if float.is_finite() {
                format!("{float:?}f64")
            } else {
                format!("f64 #{bits:x}")
            }
        }
        Constant::Null => "null".into(),
    }
}

/// A string in quotes.
pub(crate) fn quote(text: &str) -> String {
    let other = |c: char| match c {
        '\t' => Some("\\t".to_owned()),
        c => c.is_control().then(|| format!("\\u{{{:x}}}", c as u32)),
    };
    format!("\"{}\"", base::escaped(text, &other))
}
