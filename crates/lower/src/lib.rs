//! From the typed syntax tree to the IR.
//!
//! Evaluation order becomes explicit: everything is evaluated from left to right, every side effect
//! is an edge of its own, and the remaining expressions are pure. Only code reachable from the
//! entry is lowered. A construct that we do not model becomes [`Op::Unsupported`](program::ir::Op);
//! it is never dropped.
//!
//! # Reading order
//! [`procedure`](self::procedure) has the automaton under construction, `stmt` and `scope` walk
//! statements, `expr`, `lvalue`, `assign` and `condition` walk expressions (`builtin`, `atomic` and
//! `complex` the less common ones), `call`, `library` and `external` handle functions (`table` lists
//! those we know, `outside` says what others do, `input` handles those that read, `c_library` has
//! those written in C, `callback` and `at_exit` those that call back), `init` and `global` handle
//! initial values, `entry` what happens before `main`.
//!
//! # Invariants
//! - The result passes [`validate`](program::validate::validate).
//! - The branches of a condition are exact opposites.
//! - Same tree, same options, same program, ids included.

mod address_taken;
mod allocation;
mod assign;
mod at_exit;
mod atomic;
pub mod automaton;
mod bitfield;
mod builtin;
mod c_library;
mod call;
mod callback;
mod check;
mod claim;
mod complex;
mod condition;
mod ctype;
mod device;
mod element;
mod entry;
mod expr;
mod external;
mod flow;
mod global;
mod init;
mod input;
mod leaks;
mod libcall;
mod library;
mod lvalue;
mod memory;
mod no_value;
mod origin;
mod outside;
mod params;
mod pointer;
mod printed;
mod procedure;
mod scope;
mod sequence;
mod stmt;
mod table;
mod tidy;
mod types;
mod variadic;
mod verifier;

use automaton::{Automaton, COUNTER};
use base::{Diagnostic, Diagnostics, IdVec, Span};
use cfront::ast::{Ast, Function, FunctionId, GlobalId, StringId};
use logic::{IntType, IntValue};
use program::expr::{Constant, Expr};
use program::ir::{
    AddressBase, Object, ObjectId, ObjectInit, ProcId, Program, Property, Scope, SiteId, VarId,
};
use program::pass::liveness::drop_dead_declarations;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// What to lower, and which properties to check.
#[derive(Clone, Debug)]
pub struct Options {
    /// The function a run starts with.
    pub entry: String,
    /// The properties whose violation is an error location. Undefined behaviour of the others is
    /// left to the machine.
    pub properties: BTreeSet<Property>,
    /// Whether a failing `assert` is a violation (it is for a developer); otherwise it ends the
    /// run, and only `reach_error` counts (as SV-COMP has it).
    pub assert_is_error: bool,
    /// Addresses behind which there are devices: a read there is an input, a write goes outside.
    pub devices: Vec<std::ops::Range<u64>>,
    /// Which allocations may fail.
    pub failing: FailingAllocations,
}

/// Which allocations may fail: where one may, whether it does is an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FailingAllocations {
    /// None.
    None,
    /// Those of `realloc`; `malloc` and `calloc` succeed, as SV-COMP has it.
    #[default]
    Realloc,
    /// All.
    All,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            entry: "main".into(),
            properties: BTreeSet::from([Property::Assertion]),
            assert_is_error: true,
            devices: Vec::new(),
            failing: FailingAllocations::default(),
        }
    }
}

/// Whether a function without a body is one of the C library.
pub fn is_library(ast: &Ast, function: FunctionId) -> bool {
    library::known(ast, function).is_some() && !is_intrinsic(ast, function)
}

/// Whether a function without a body belongs to a verifier.
pub fn is_intrinsic(ast: &Ast, function: FunctionId) -> bool {
    let row = &ast.functions[function];
    !row.system && library::is_verifiers(&row.name)
}

/// Lowers a program. `None` where there is no such entry, which a diagnostic then says.
///
/// Deep trees need a deep stack, so the work is done on a thread of its own.
pub fn lower(ast: &Ast, options: &Options, diagnostics: &mut Diagnostics) -> Option<Program> {
    lower_beside(ast, options, None, diagnostics)
}

/// The same beside the automaton of a witness.
pub fn lower_beside(
    ast: &Ast,
    options: &Options,
    automaton: Option<&Automaton>,
    diagnostics: &mut Diagnostics,
) -> Option<Program> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .name("lower".into())
            .stack_size(STACK)
            .spawn_scoped(scope, || run(ast, options, automaton, diagnostics))
            .expect("a thread should start");
        match worker.join() {
            Ok(program) => program,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Address space, not memory: pages are taken as they are used.
const STACK: usize = 512 << 20;

fn run(
    ast: &Ast,
    options: &Options,
    automaton: Option<&Automaton>,
    diagnostics: &mut Diagnostics,
) -> Option<Program> {
    let entry = find_entry(ast, options, diagnostics)?;
    let mut context = Context::new(ast, options);
    if automaton.is_some() {
        let zero = Constant::Int(IntValue::zero(IntType::unsigned(32)));
        context.counter = Some(context.program.add_global(COUNTER, zero, Span::NONE));
        context.automaton = automaton;
    }
    entry::lower_entry(&mut context, entry);
    let mut program = context.program;
    drop_dead_declarations(&mut program);
    leaks::check(&mut program, &options.properties);
    Some(program)
}

fn find_entry(ast: &Ast, options: &Options, diagnostics: &mut Diagnostics) -> Option<FunctionId> {
    let named = |function: &Function| *function.name == *options.entry;
    let found = ast
        .functions
        .iter_enumerated()
        .filter(|(_, function)| named(function))
        .max_by_key(|(id, function)| (function.body.is_some(), std::cmp::Reverse(*id)));
    if let Some((id, function)) = found
        && function.body.is_some()
    {
        return Some(id);
    }
    let span = found.map_or(Span::NONE, |(_, function)| function.span);
    let defined = ast.functions.iter().filter(|f| f.body.is_some());
    let mut names: Vec<&str> = defined.map(|function| &*function.name).collect();
    names.dedup();
    let help = match names.as_slice() {
        [] => "the program defines no function at all".to_string(),
        names => {
            let shown: Vec<String> = names.iter().take(8).map(|n| format!("`{n}`")).collect();
            let more = if names.len() > 8 { ", …" } else { "" };
            format!(
                "choose another function with `--entry`; there are {}{more}",
                shown.join(", ")
            )
        }
    };
    let message = match found {
        Some(_) => format!("the entry function `{}` has no body", options.entry),
        None => format!("there is no function `{}` to start with", options.entry),
    };
    diagnostics.push(Diagnostic::error(span, message).help(help));
    None
}

/// Where the value of a C object is.
#[derive(Clone, Debug)]
enum Storage {
    /// In a variable.
    Var(VarId),
    /// In a memory object.
    Object(ObjectId),
    /// At the address that a variable holds: a record passed to us, or a variable-length array.
    Indirect(VarId),
    /// Nowhere: using it is not supported, for this reason.
    Unsupported(Arc<str>),
}

/// What all procedures share.
struct Context<'a> {
    ast: &'a Ast,
    options: &'a Options,
    /// The automaton of a witness, if there is one, and its counter.
    automaton: Option<&'a Automaton>,
    counter: Option<VarId>,
    program: Program,
    taken: address_taken::AddressTaken,
    /// The procedure of each function that something refers to.
    procs: IdVec<FunctionId, Option<ProcId>>,
    /// The storage of each global that something refers to.
    globals: IdVec<GlobalId, Option<Storage>>,
    /// The object of each string that something refers to.
    strings: IdVec<StringId, Option<ObjectId>>,
    /// Functions with a procedure whose body is still to be lowered.
    open_functions: VecDeque<FunctionId>,
    /// Globals whose initial value is still to be lowered.
    open_globals: VecDeque<GlobalId>,
    /// Objects that stand for what functions of the C library return the address of.
    hidden: BTreeMap<ctype::Hidden, ObjectId>,
    /// What runs when the program ends.
    handlers: Option<at_exit::Handlers>,
    /// The sites of values that stand for missing ones of calls.
    no_value: BTreeSet<SiteId>,
    unsequenced: sequence::Unsequenced,
    /// What is in the program's assumptions already.
    assumed: FxHashSet<String>,
}

impl<'a> Context<'a> {
    fn new(ast: &'a Ast, options: &'a Options) -> Self {
        let pointer_bytes = ast.types.model.word_bytes() as u8;
        Context {
            ast,
            options,
            automaton: None,
            counter: None,
            program: Program::new(pointer_bytes),
            taken: address_taken::AddressTaken::of(ast),
            procs: IdVec::filled(None, ast.functions.len()),
            globals: IdVec::filled(None, ast.globals.len()),
            strings: IdVec::filled(None, ast.strings.len()),
            open_functions: VecDeque::new(),
            open_globals: VecDeque::new(),
            hidden: BTreeMap::new(),
            handlers: None,
            no_value: BTreeSet::new(),
            unsequenced: sequence::Unsequenced::of(ast),
            assumed: FxHashSet::default(),
        }
    }

    /// Whether violations of a property are error locations.
    fn checks(&self, property: Property) -> bool {
        self.options.properties.contains(&property)
    }

    fn assume(&mut self, assumption: String) {
        if self.assumed.insert(assumption.clone()) {
            self.program.assumptions.push(assumption);
        }
    }

    /// The procedure of a function, whose body is lowered later if it is new.
    fn proc_of(&mut self, function: FunctionId) -> ProcId {
        if let Some(proc) = self.procs[function] {
            return proc;
        }
        let row = &self.ast.functions[function];
        let proc = self.declare_proc(row.name.clone(), row.span);
        self.procs[function] = Some(proc);
        params::declare_params(self, function, proc);
        self.open_functions.push_back(function);
        proc
    }

    /// A procedure whose body comes later.
    fn declare_proc(&mut self, name: Arc<str>, span: Span) -> ProcId {
        self.program
            .procs
            .push(program::ir::Procedure::new(name, None, span))
    }

    /// The read-only object of a string literal.
    fn string(&mut self, string: StringId) -> ObjectId {
        if let Some(object) = self.strings[string] {
            return object;
        }
        let literal = &self.ast.strings[string];
        let object =
            self.constant_bytes("$string", literal.bytes.clone(), u64::from(literal.width));
        self.strings[string] = Some(object);
        object
    }

    /// A new read-only object with these bytes.
    fn constant_bytes(&mut self, name: &str, bytes: Vec<u8>, align: u64) -> ObjectId {
        let object = self.global_bytes(name, bytes, align);
        self.program.objects[object].read_only = true;
        object
    }

    /// A new global object with these bytes.
    fn global_bytes(&mut self, name: &str, bytes: Vec<u8>, align: u64) -> ObjectId {
        let layout = (bytes.len() as u64, align);
        let init = ObjectInit {
            bytes,
            addresses: Vec::new(),
        };
        self.program.objects.push(Object {
            init,
            ..new_object(name, layout, Scope::Global, Span::NONE)
        })
    }

    /// An unsigned integer of pointer width.
    fn size_const(&self, value: u64) -> Expr {
        Expr::int(self.program.size_type(), i128::from(value))
    }

    /// A signed integer of pointer width.
    fn offset_const(&self, value: i64) -> Expr {
        Expr::int(self.program.offset_type(), i128::from(value))
    }
}

/// An object of some bytes and an alignment: all zero, and not read-only.
fn new_object(
    name: impl Into<Arc<str>>,
    (size, align): (u64, u64),
    scope: Scope,
    span: Span,
) -> Object {
    Object {
        name: name.into(),
        size,
        align,
        scope,
        read_only: false,
        init: ObjectInit::default(),
        contents: None,
        span,
    }
}

/// The constant address that an expression is, if it is one.
fn constant_address(expr: &Expr) -> Option<program::ir::Address> {
    let (base, offset) = match expr {
        Expr::Offset(base, offset) => match offset.constant()? {
            program::expr::Constant::Int(value) => (&**base, i64::try_from(value.to_i128()?).ok()?),
            _ => return None,
        },
        base => (base, 0),
    };
    let base = match base {
        Expr::Object(object) => AddressBase::Object(*object),
        Expr::Proc(proc) => AddressBase::Proc(*proc),
        _ => return None,
    };
    Some(program::ir::Address { base, offset })
}
