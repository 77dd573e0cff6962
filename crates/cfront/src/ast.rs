//! The typed syntax tree.
//!
//! The parser resolves names, makes every conversion explicit and folds what C calls constant
//! expressions, so that a reader of the tree needs no C rules beyond evaluation itself.
//!
//! # Invariants
//! - Operands of arithmetic have the type of the operation; a change of type is a
//!   [`ExprKind::Cast`].
//! - An expression is an lvalue iff [`Expr::is_lvalue`]; using its value means reading it.
//! - Arrays and functions used as values are wrapped in [`CastKind::ArrayDecay`] or
//!   [`CastKind::FunctionDecay`].
//! - Every `goto`, `break`, `continue` and `case` is where C allows it.

mod operator;
pub mod visit;

pub use operator::{BinaryOp, Builtin, CastKind, Complex, UnaryOp};

use crate::claim::Claim;
use crate::types::{BitRange, QualType, TypeId, Types};
use base::{IdVec, Span, define_id};
use logic::IntValue;
use std::sync::Arc;

define_id! {
    /// An object with static storage: a global, a static local or a compound literal at file scope.
    GlobalId = "g";
    /// A function, defined or only declared.
    FunctionId = "fn";
    /// A local or parameter of the enclosing function.
    LocalId = "v";
    /// A label of the enclosing function.
    LabelId = "L";
    /// A string literal.
    StringId = "s";
}

/// A whole program: all translation units, linked by name.
#[derive(Clone, Debug)]
pub struct Ast {
    /// All types.
    pub types: Types,
    /// All objects with static storage.
    pub globals: IdVec<GlobalId, Global>,
    /// All functions.
    pub functions: IdVec<FunctionId, Function>,
    /// All string literals; equal ones are shared.
    pub strings: IdVec<StringId, StringLiteral>,
    /// Constructs at file scope that are not modelled: with one, no run is known.
    pub unmodelled: Vec<Unmodelled>,
}

/// Valid C that the tree does not fully represent: a run that reaches it has no known meaning.
#[derive(Clone, Debug)]
pub struct Unmodelled {
    /// What it is.
    pub what: Arc<str>,
    /// Its location.
    pub span: Span,
}

/// A string literal's bytes, its terminating zero included.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StringLiteral {
    /// The bytes of all elements, little-endian for wide strings.
    pub bytes: Vec<u8>,
    /// Bytes per element: 1, 2 or 4.
    pub width: u8,
}

/// Who can name an object or a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// Every translation unit.
    External,
    /// Its own translation unit, or its own function.
    Internal,
}

/// An object with static storage.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name; static locals are `function.name`, and a second one gets a number.
    pub name: Arc<str>,
    /// Its type, complete unless only declared.
    pub ty: QualType,
    /// Its linkage.
    pub linkage: Linkage,
    /// Whether some unit defines it (a tentative definition counts); otherwise it is external.
    pub defined: bool,
    /// Its initial value; without one it is zero.
    pub init: Option<Initializer>,
    /// Its alignment, if declared stricter than the type's.
    pub align: Option<u64>,
    /// Where it is declared, or defined if it has a definition.
    pub span: Span,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// Its type, a `Type::Function`.
    pub ty: TypeId,
    /// Its linkage.
    pub linkage: Linkage,
    /// Declared `_Noreturn` or `__attribute__((noreturn))`.
    pub noreturn: bool,
    /// Declared `__attribute__((weak))`: without a definition it may have no address.
    pub weak: bool,
    /// Declared `__attribute__((constructor))`: runs before `main`.
    pub constructor: bool,
    /// Its definition, if there is one.
    pub body: Option<Body>,
    /// Whether only a call declares it (implicit `int f()`).
    pub implicit: bool,
    /// Whether a system header declares it.
    pub system: bool,
    /// Where it is declared, or defined if it is: the name.
    pub span: Span,
}

/// The definition of a function.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The parameters, in order; the first locals.
    pub params: Vec<LocalId>,
    /// All locals of the function, compound literals and hidden ones included.
    pub locals: IdVec<LocalId, Local>,
    /// All labels.
    pub labels: IdVec<LabelId, Label>,
    /// Its loop statements, in the order of their keywords.
    pub loops: Vec<LoopScope>,
    /// The first token of each statement and declaration, in order.
    pub places: Vec<Span>,
    /// The claims about it, in source order.
    pub claims: Vec<Claim>,
    /// The first construct in it that is not modelled; it counts from the function's start, since
    /// types declared in it may be wrong.
    pub unmodelled: Option<Unmodelled>,
    /// The block.
    pub block: Block,
}

/// A loop statement, and the names in scope at its keyword.
#[derive(Clone, Debug)]
pub struct LoopScope {
    /// `for`, `while` or `do`.
    pub keyword: Span,
    /// What the function's names denote there; a name that is not listed is at file scope.
    pub names: Vec<(Arc<str>, Meaning)>,
}

/// What a name denotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A local.
    Local(LocalId),
    /// An object with static storage.
    Global(GlobalId),
    /// Something that is not an object.
    Other,
}

/// A parameter or an object with automatic storage. Static locals are [`Global`]s.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name; empty for hidden ones.
    pub name: Arc<str>,
    /// Its type.
    pub ty: QualType,
    /// Its alignment, if declared stricter than the type's.
    pub align: Option<u64>,
    /// Where it is declared.
    pub span: Span,
}

/// A label of a function.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name.
    pub name: Arc<str>,
    /// Its location.
    pub span: Span,
    /// Whether `&&label` takes its address.
    pub address_taken: bool,
}

/// `{ … }`: a scope.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Its statements, in order.
    pub stmts: Vec<Stmt>,
    /// From brace to brace.
    pub span: Span,
}

/// A statement or declaration.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Its location.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// An expression for its effects.
    Expr(Expr),
    /// The lifetime of a local starts. A jump into its scope skips the initialiser but not this.
    Declare(LocalDecl),
    /// A scope.
    Block(Block),
    /// `if`
    If {
        /// A scalar.
        condition: Expr,
        /// Taken when it is not zero.
        then: Box<Stmt>,
        /// Taken when it is.
        otherwise: Option<Box<Stmt>>,
    },
    /// `while`
    While {
        /// A scalar.
        condition: Expr,
        /// The body.
        body: Box<Stmt>,
    },
    /// `do … while`
    DoWhile {
        /// The body.
        body: Box<Stmt>,
        /// A scalar.
        condition: Expr,
    },
    /// `for`: a scope of its own.
    For {
        /// Before the loop: declarations or an expression.
        init: Vec<Stmt>,
        /// A scalar; absent means true.
        condition: Option<Expr>,
        /// After each iteration.
        step: Option<Expr>,
        /// The body.
        body: Box<Stmt>,
    },
    /// `switch`
    Switch {
        /// The integer, promoted.
        value: Expr,
        /// Its cases, in the order of the source. `case` statements in the body name them by
        /// position.
        cases: Vec<Case>,
        /// The body.
        body: Box<Stmt>,
    },
    /// `case …:` or `default:` of the innermost switch.
    Case {
        /// Which of the switch's cases.
        index: usize,
        /// The statement it labels.
        body: Box<Stmt>,
    },
    /// `label:`
    Label {
        /// Which.
        label: LabelId,
        /// The statement it labels.
        body: Box<Stmt>,
    },
    /// `goto label;`
    Goto(LabelId),
    /// `goto *address;`
    ComputedGoto(Expr),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return;` or `return value;`, converted to the function's type.
    Return(Option<Expr>),
    /// Inline assembly, which we do not model.
    Asm,
}

/// One `case` of a switch.
#[derive(Clone, Debug)]
pub struct Case {
    /// The values it takes, in the type of the switch's value, both ends included; `None` for
    /// `default`.
    pub range: Option<(IntValue, IntValue)>,
    /// Its location.
    pub span: Span,
}

/// The declaration of a local.
#[derive(Clone, Debug)]
pub struct LocalDecl {
    /// Which local.
    pub local: LocalId,
    /// Lengths of variable arrays in its type: each hidden local and the expression (of type
    /// `size_t`) it holds, evaluated in order before anything else.
    pub lengths: Vec<(LocalId, Expr)>,
    /// Its initial value; without one it is indeterminate.
    pub init: Option<Initializer>,
}

/// The initial value of an object, flattened.
#[derive(Clone, Debug)]
pub struct Initializer {
    /// Whether what no item sets is zero (any braced list or string).
    pub zero_rest: bool,
    /// What is set, in order of evaluation. Two items overlap only where the later lies inside
    /// the earlier (a byte of a string, a member of a whole record), and there the later wins.
    pub items: Vec<InitItem>,
    /// Its location.
    pub span: Span,
}

impl Initializer {
    /// The expressions among its values.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.items.iter().filter_map(|item| match &item.value {
            InitValue::Expr(expr) => Some(expr),
            InitValue::String(_) => None,
        })
    }

    /// A value of some type at the start of the object.
    pub fn of_value(ty: TypeId, value: Expr, zero_rest: bool, span: Span) -> Self {
        let item = InitItem {
            offset: 0,
            bits: None,
            ty,
            value: InitValue::Expr(value),
        };
        Initializer {
            zero_rest,
            items: vec![item],
            span,
        }
    }
}

/// One part of an initial value.
#[derive(Clone, Debug)]
pub struct InitItem {
    /// Bytes from the start of the object.
    pub offset: u64,
    /// For a bit-field: its bits, from `offset` on.
    pub bits: Option<BitRange>,
    /// The type of the part.
    pub ty: TypeId,
    /// Its value.
    pub value: InitValue,
}

/// The value of a part.
#[derive(Clone, Debug)]
pub enum InitValue {
    /// A value of the part's type (scalar, or a whole record). For static storage it is a
    /// constant: a number, or an address plus a number.
    Expr(Expr),
    /// The leading bytes of a string literal, for a character array; the rest is zero.
    String(StringId),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type; an rvalue has no qualifiers.
    pub ty: QualType,
    /// Its location.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer, also an enumerator, `sizeof` and every folded constant expression that the
    /// grammar asks for. Its type is the width and signedness of `Expr::ty`.
    Int(IntValue),
    /// A floating constant, as a double.
    Float(f64),
    /// A string: an lvalue of array type.
    String(StringId),
    /// An object with static storage: an lvalue.
    Global(GlobalId),
    /// A local: an lvalue.
    Local(LocalId),
    /// A function designator.
    Function(FunctionId),
    /// `*p`: an lvalue, or a function designator. `a[i]` is `*(a + i)`.
    Deref(Box<Expr>),
    /// `&lvalue` or `&function`.
    AddressOf(Box<Expr>),
    /// `record.member`: an lvalue if the record is. `p->m` is `(*p).m`.
    Member {
        /// The record.
        record: Box<Expr>,
        /// Position in its fields.
        field: usize,
    },
    /// An arithmetic operation on one operand of the result's type; for [`UnaryOp::LogicalNot`] a
    /// scalar operand of any type and an `int` result.
    Unary(UnaryOp, Box<Expr>),
    /// An operation on two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `++x`, `x--` and so on, on an lvalue of integer, floating or pointer type.
    Increment {
        /// The lvalue.
        target: Box<Expr>,
        /// `--` rather than `++`.
        decrement: bool,
        /// The value is the old one.
        postfix: bool,
    },
    /// `lvalue = value`, the value converted. The whole is an rvalue of the lvalue's type.
    Assign(Box<Expr>, Box<Expr>),
    /// `lvalue op= value`: the lvalue is read and converted to `computation`, the operation is
    /// done there, and the result is converted back. The value is already converted.
    AssignOp {
        /// The operation: arithmetic, bitwise, shift, or pointer offset.
        op: BinaryOp,
        /// The lvalue.
        target: Box<Expr>,
        /// The right operand.
        value: Box<Expr>,
        /// The type of the left operand and the result of `op`.
        computation: TypeId,
    },
    /// `c ? a : b`; with the middle omitted, `c ?: b` gives the value of `c`, evaluated once and
    /// converted to the result's type.
    Conditional {
        /// A scalar.
        condition: Box<Expr>,
        /// Of the result's type; `None` when omitted.
        then: Option<Box<Expr>>,
        /// Of the result's type.
        otherwise: Box<Expr>,
    },
    /// A conversion of this kind; the target is the expression's type. The flag says whether the
    /// source wrote it.
    Cast(CastKind, Box<Expr>, bool),
    /// A call of a function; the callee is a value of pointer-to-function type.
    Call {
        /// The callee.
        callee: Box<Expr>,
        /// The arguments, converted to the parameters' types or promoted.
        args: Vec<Expr>,
    },
    /// A compiler builtin that is not an ordinary function.
    Builtin {
        /// Which.
        builtin: Builtin,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `(type){…}` in a function: an lvalue that is set each time it is evaluated.
    CompoundLiteral(Box<LocalDecl>),
    /// `({ … })`: its value is that of the last statement, if that is an expression and the type
    /// is not void.
    Statement(Box<Block>),
    /// `va_arg(list, type)`; the type is the expression's.
    VaArg(Box<Expr>),
    /// `&&label`.
    LabelAddress(LabelId),
    /// `sizeof` of a variable-length array: elements are multiplied at run time. The operand type.
    SizeofVariable(TypeId),
}

impl Stmt {
    /// A statement at a location.
    pub fn new(kind: StmtKind, span: Span) -> Stmt {
        Stmt { kind, span }
    }
}

impl Expr {
    /// An expression of a type at a location.
    pub fn new(kind: ExprKind, ty: impl Into<QualType>, span: Span) -> Expr {
        let ty = ty.into();
        Expr { kind, ty, span }
    }

    /// What it is a member of, at any depth; itself if it is no member.
    pub fn whole(&self) -> &Expr {
        match &self.kind {
            ExprKind::Member { record, .. } => record.whole(),
            _ => self,
        }
    }

    /// Whether it designates an object.
    pub fn is_lvalue(&self) -> bool {
        use ExprKind::*;
        match &self.kind {
            String(_) | Global(_) | Local(_) | Deref(_) | CompoundLiteral(_) => true,
            Member { record, .. } => record.is_lvalue(),
            Builtin { builtin, args } => builtin.is_part() && args[0].is_lvalue(),
            _ => false,
        }
    }
}
