//! Random programs as trees of statements, and how they are written as C: for `cairn`, and for the
//! compiler, with calls that tell the driver (`truth.c`) where a run is.

use crate::types::Ty;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The undefined behaviour that a statement may have.
///
/// C leaves open in which order operands are evaluated. A statement with two operations of different
/// kinds therefore does not say which of them ends the run, and its [`Danger`] has both.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Danger {
    kinds: u8,
    operations: u8,
}

/// A kind of undefined behaviour, by the property that it violates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    Overflow,
    Division,
    Shift,
    Deref,
}

impl Kind {
    pub(crate) const ALL: [Kind; 4] = [Kind::Overflow, Kind::Division, Kind::Shift, Kind::Deref];

    /// As the driver calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Overflow => "overflow",
            Kind::Division => "division",
            Kind::Shift => "shift",
            Kind::Deref => "deref",
        }
    }

    /// As `--property` has it.
    pub(crate) fn property(self) -> &'static str {
        match self {
            Kind::Overflow => "no-overflow",
            Kind::Division => "division-by-zero",
            Kind::Shift => "shift",
            Kind::Deref => "valid-deref",
        }
    }
}

impl Danger {
    /// An operation of one kind.
    pub(crate) fn of(kind: Kind) -> Danger {
        Danger {
            kinds: 1 << kind as u8,
            operations: 1,
        }
    }

    /// One operation that may fail in either way, but not in both.
    pub(crate) fn either(self, other: Danger) -> Danger {
        Danger {
            kinds: self.kinds | other.kinds,
            operations: 1,
        }
    }

    /// Both, in an order that is left open.
    pub(crate) fn and(self, other: Danger) -> Danger {
        Danger {
            kinds: self.kinds | other.kinds,
            operations: self.operations.saturating_add(other.operations),
        }
    }

    /// Whether an event of a kind can be of no other one.
    pub(crate) fn is_certain(self, kind: Kind) -> bool {
        self.operations <= 1 || self.kinds & !(1 << kind as u8) == 0
    }

    /// Whether the kind is among those that it may be.
    pub(crate) fn may_be(self, kind: Kind) -> bool {
        self.kinds & (1 << kind as u8) != 0
    }
}

/// C text and what may go wrong in it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) danger: Danger,
}

/// One arm of a `switch`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Arm {
    /// `case 3:` or `default:`.
    pub(crate) label: String,
    pub(crate) body: Vec<Stmt>,
    /// Whether it runs into the next one.
    pub(crate) falls_through: bool,
}

/// How values of an input that are not wanted are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// `if (…) return 0;`
    Leave,
    /// `__VERIFIER_assume(…)`
    Assume,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Stmt {
    /// On one line, the same for both.
    Plain(Text),
    /// Draws an input; only in `main`.
    Input {
        name: String,
        ty: Ty,
        low: i64,
        high: i64,
        bound: Bound,
    },
    /// Declares a variable without a value, which is an input for the compiler.
    Uninitialised {
        name: String,
        ty: Ty,
    },
    /// Where an assertion may stand.
    Probe(usize),
    If(Text, Vec<Stmt>, Vec<Stmt>),
    While(Text, Vec<Stmt>),
    DoWhile(Vec<Stmt>, Text),
    For {
        first: String,
        condition: Text,
        step: String,
        body: Vec<Stmt>,
    },
    Switch(Text, Vec<Arm>),
    /// A label; what jumps to it is plain.
    Label(String),
}

/// A variable with static storage; a run for the compiler gives it its value again.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Global {
    pub(crate) declaration: String,
    pub(crate) resets: Vec<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Function {
    pub(crate) header: String,
    pub(crate) body: Vec<Stmt>,
}

/// A variable that a probe looks at.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Seen {
    pub(crate) text: String,
    pub(crate) ty: Ty,
}

/// A whole program.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Program {
    pub(crate) types: Vec<String>,
    pub(crate) globals: Vec<Global>,
    pub(crate) functions: Vec<Function>,
    pub(crate) main: Vec<Stmt>,
    /// What each probe looks at: four at most.
    pub(crate) probes: Vec<Vec<Seen>>,
}

/// What a probe sees at most.
pub(crate) const WIDTH: usize = 4;

/// An assertion in C at a probe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asserted<'a> {
    pub(crate) probe: usize,
    pub(crate) condition: &'a str,
    /// By `reach_error`, as in SV-COMP, rather than by `assert`.
    pub(crate) by_call: bool,
}

/// A program as C.
pub(crate) struct Written {
    pub(crate) text: String,
    /// What may go wrong in each statement, by its number.
    pub(crate) dangers: Vec<Danger>,
    /// The number of each loop by the line of its keyword, from 1.
    pub(crate) loops: BTreeMap<usize, usize>,
    /// The wanted values of each input by the line of its call.
    pub(crate) inputs: BTreeMap<usize, (i64, i64)>,
}

impl Program {
    /// The program for `cairn`.
    pub(crate) fn for_cairn(&self, asserted: Option<Asserted<'_>>) -> Written {
        let all = self.declaring(asserted, DECLARATIONS);
        let is_called = |line: &&str| {
            let name = line.split(['(', ' ']).nth_back(1).unwrap_or_default();
            all.text.matches(&format!("{name}(")).count() > 1
        };
        let called: Vec<&str> = DECLARATIONS.lines().filter(is_called).collect();
        self.declaring(asserted, &called.join("\n"))
    }

    /// The same with some of the declarations that `cairn` knows.
    fn declaring(&self, asserted: Option<Asserted<'_>>, declarations: &str) -> Written {
        let mut writer = Writer::new(Reader::Cairn(asserted));
        if asserted.is_some_and(|asserted| !asserted.by_call) {
            writer.line("#include <assert.h>");
        }
        writer.lines(declarations);
        if asserted.is_some_and(|asserted| asserted.by_call) {
            writer.line("void reach_error(void) { abort(); }");
        }
        self.write_declarations(&mut writer);
        writer.line("int main(void) {");
        writer.body(&self.main);
        writer.line("  return 0;");
        writer.line("}");
        writer.written
    }

    /// The program for the compiler, with conditions that are to hold at loops, by their numbers.
    pub(crate) fn for_compiler(&self, invariants: &BTreeMap<usize, String>) -> Written {
        let mut writer = Writer::new(Reader::Compiler {
            invariants,
            probes: &self.probes,
        });
        writer.lines(HOOKS);
        self.write_declarations(&mut writer);
        writer.line("int truth_main(void) {");
        for reset in self.globals.iter().flat_map(|global| &global.resets) {
            writer.line(&format!("  {reset}"));
        }
        writer.body(&self.main);
        writer.line("  return 0;");
        writer.line("}");
        writer.written
    }

    fn write_declarations(&self, writer: &mut Writer<'_>) {
        for text in &self.types {
            writer.line(text);
        }
        // Two compilations of it are linked.
        let own = match writer.reader {
            Reader::Cairn(_) => "",
            Reader::Compiler { .. } => "static ",
        };
        for global in &self.globals {
            writer.line(&format!("{own}{}", global.declaration));
        }
        for function in &self.functions {
            writer.line(&format!("{own}{} {{", function.header));
            writer.body(&function.body);
            writer.line("}");
        }
    }
}

/// Who the text is for.
#[derive(Clone, Copy)]
enum Reader<'a> {
    Cairn(Option<Asserted<'a>>),
    Compiler {
        invariants: &'a BTreeMap<usize, String>,
        probes: &'a [Vec<Seen>],
    },
}

struct Writer<'a> {
    reader: Reader<'a>,
    written: Written,
    depth: usize,
    line: usize,
}

/// What `cairn` gets to see first.
const DECLARATIONS: &str = "\
extern void abort(void);
extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
";

/// What tells the driver where a run is.
const HOOKS: &str = "\
void truth_at(int);
void truth_check(int);
long long truth_pick(long long, long long);
void truth_probe(int, long long, long long, long long, long long);
";

impl<'a> Writer<'a> {
    fn new(reader: Reader<'a>) -> Writer<'a> {
        Writer {
            reader,
            written: Written {
                text: String::new(),
                dangers: Vec::new(),
                loops: BTreeMap::new(),
                inputs: BTreeMap::new(),
            },
            depth: 0,
            line: 1,
        }
    }

    fn lines(&mut self, text: &str) {
        for line in text.lines() {
            self.line(line);
        }
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.written.text.push_str("  ");
        }
        self.written.text.push_str(text);
        self.written.text.push('\n');
        self.line += 1 + text.matches('\n').count();
    }

    fn body(&mut self, body: &[Stmt]) {
        self.depth += 1;
        for stmt in body {
            self.stmt(stmt);
        }
        self.depth -= 1;
    }

    /// A new statement's number.
    fn number(&mut self, danger: Danger) -> usize {
        self.written.dangers.push(danger);
        self.written.dangers.len() - 1
    }

    /// A condition or step, which for the compiler says where it is.
    fn located(&self, number: usize, text: &str) -> String {
        match self.reader {
            Reader::Cairn(_) => text.to_owned(),
            Reader::Compiler { .. } => format!("(truth_at({number}), ({text}))"),
        }
    }

    /// The condition of a loop, at which an invariant is to hold.
    fn guard(&self, number: usize, text: &str) -> String {
        match self.reader {
            Reader::Compiler { invariants, .. } if let Some(held) = invariants.get(&number) => {
                format!("(truth_at({number}), truth_check(!!({held})), ({text}))")
            }
            Reader::Compiler { .. } | Reader::Cairn(_) => self.located(number, text),
        }
    }

    fn loop_number(&mut self, danger: Danger) -> usize {
        let number = self.number(danger);
        self.written.loops.insert(self.line, number);
        number
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Plain(text) => {
                let number = self.number(text.danger);
                self.at(number);
                self.line(&text.text);
            }
            Stmt::Input {
                name,
                ty,
                low,
                high,
                bound,
            } => self.input(name, *ty, (*low, *high), *bound),
            Stmt::Uninitialised { name, ty } => {
                let value = match self.reader {
                    Reader::Cairn(_) => String::new(),
                    Reader::Compiler { .. } if ty.is_signed() => " = truth_pick(-128, 127)".into(),
                    Reader::Compiler { .. } => " = truth_pick(0, 255)".into(),
                };
                self.line(&format!("{} {name}{value};", ty.name()));
            }
            Stmt::Probe(probe) => self.probe(*probe),
            Stmt::If(condition, then, other) => {
                let number = self.number(condition.danger);
                let condition = self.located(number, &condition.text);
                self.line(&format!("if ({condition}) {{"));
                self.body(then);
                if !other.is_empty() {
                    self.line("} else {");
                    self.body(other);
                }
                self.line("}");
            }
            Stmt::While(condition, body) => {
                let number = self.loop_number(condition.danger);
                let condition = self.guard(number, &condition.text);
                self.line(&format!("while ({condition}) {{"));
                self.body(body);
                self.line("}");
            }
            Stmt::DoWhile(body, condition) => {
                // Not among the loops: where its invariant is to hold is understood differently.
                let number = self.number(condition.danger);
                self.line("do {");
                self.body(body);
                let condition = self.located(number, &condition.text);
                self.line(&format!("}} while ({condition});"));
            }
            Stmt::For {
                first,
                condition,
                step,
                body,
            } => {
                let number = self.loop_number(condition.danger);
                let condition = self.guard(number, &condition.text);
                let [first, step] = [first, step].map(|text| match text.is_empty() {
                    true => String::new(),
                    false => self.located(number, text),
                });
                self.line(&format!("for ({first}; {condition}; {step}) {{"));
                self.body(body);
                self.line("}");
            }
            Stmt::Switch(on, arms) => self.switch(on, arms),
            Stmt::Label(name) => self.line(&format!("{name}:;")),
        }
    }

    fn at(&mut self, number: usize) {
        if let Reader::Compiler { .. } = self.reader {
            self.line(&format!("truth_at({number});"));
        }
    }

    fn input(&mut self, name: &str, ty: Ty, (low, high): (i64, i64), bound: Bound) {
        let number = self.number(Danger::default());
        self.at(number);
        if let Reader::Compiler { .. } = self.reader {
            self.line(&format!("{name} = truth_pick({low}, {high});"));
            return;
        }
        self.written.inputs.insert(self.line, (low, high));
        let function = ty.nondet().unwrap_or("int");
        self.line(&format!("{name} = __VERIFIER_nondet_{function}();"));
        let (low, high) = (i128::from(low), i128::from(high));
        let mut sides = Vec::new();
        if ty.is_signed() || low > 0 {
            sides.push((
                format!("{name} < "),
                format!("{name} >= "),
                ty.constant(low),
            ));
        }
        if ty != Ty::Bool {
            sides.push((
                format!("{name} > "),
                format!("{name} <= "),
                ty.constant(high),
            ));
        }
        for (outside, inside, limit) in sides {
            match bound {
                Bound::Leave => self.line(&format!("if ({outside}{limit}) return 0;")),
                Bound::Assume => self.line(&format!("__VERIFIER_assume({inside}{limit});")),
            }
        }
    }

    fn probe(&mut self, probe: usize) {
        match self.reader {
            Reader::Cairn(Some(asserted)) if asserted.probe == probe => {
                let condition = asserted.condition;
                if asserted.by_call {
                    self.line(&format!("if (!({condition})) reach_error();"));
                } else {
                    self.line(&format!("assert({condition});"));
                }
            }
            Reader::Cairn(_) => {}
            Reader::Compiler { probes, .. } => {
                let mut call = format!("truth_probe({probe}");
                for place in 0..WIDTH {
                    match probes[probe].get(place) {
                        Some(seen) => write!(call, ", {}", seen.text),
                        None => write!(call, ", 0"),
                    }
                    .expect("writing to a string does not fail");
                }
                self.line(&format!("{call});"));
            }
        }
    }

    fn switch(&mut self, on: &Text, arms: &[Arm]) {
        let number = self.number(on.danger);
        let on = self.located(number, &on.text);
        self.line(&format!("switch ({on}) {{"));
        for arm in arms {
            self.line(&format!("{} {{", arm.label));
            self.body(&arm.body);
            self.line(if arm.falls_through { "}" } else { "} break;" });
        }
        self.line("}");
    }
}
