//! The kinds of undefined behaviour.
//!
//! A run that meets one is over there: it is no run of the program. Some are steps of a program
//! ([`Halt::Undefined`](crate::ir::Halt)), made in lowering where the syntax shows what the IR no
//! longer does; the machine meets the others as it goes. `docs/guide/undefined.md` has all of them.

/// What is undefined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UndefinedKind {
    /// The result of arithmetic does not fit its signed type.
    SignedOverflow,
    /// A division or remainder by zero.
    DivisionByZero,
    /// A shift by a negative amount, or by the width or more.
    ShiftOutOfRange,
    /// A read of what is no living object.
    InvalidRead,
    /// A write to what is no living object, or may not be written.
    InvalidWrite,
    /// `free` of what is no living heap object.
    InvalidFree,
    /// A call through a pointer to no function, or to one of another type.
    InvalidCall,
    /// The difference of addresses of different objects.
    PointerDifference,
    /// A floating-point number becomes an integer that cannot hold it.
    FloatConversion,
    /// The zeros before or behind the bits of zero are counted.
    ZeroCount,
    /// A copy between places that overlap.
    Overlap,
    /// `__builtin_unreachable`, or a computed `goto` to no label.
    Unreachable,
    /// A function that does not return did.
    NoReturn,
    /// The value of a call that ended without one is used.
    NoValue,
    /// An element outside the array that is indexed, though perhaps inside its object.
    ArrayBounds,
    /// The length of an array is not positive.
    ArrayLength,
    /// A write to an object that is constant.
    ConstantWrite,
    /// An order between addresses of different objects.
    PointerOrder,
    /// The address of a member of nothing.
    NullMember,
    /// A null pointer where the library wants an object, however small.
    NullArgument,
    /// A `_Bool` that is neither 0 nor 1.
    BadBool,
    /// Two side effects on one object, or an effect and a read of it, in no order.
    Unsequenced,
}

impl UndefinedKind {
    /// All kinds.
    pub const ALL: [UndefinedKind; 22] = {
        use UndefinedKind::*;
        [
            SignedOverflow,
            DivisionByZero,
            ShiftOutOfRange,
            InvalidRead,
            InvalidWrite,
            InvalidFree,
            InvalidCall,
            PointerDifference,
            FloatConversion,
            ZeroCount,
            Overlap,
            Unreachable,
            NoReturn,
            NoValue,
            ArrayBounds,
            ArrayLength,
            ConstantWrite,
            PointerOrder,
            NullMember,
            NullArgument,
            BadBool,
            Unsequenced,
        ]
    };

    /// Its name in programs as text.
    pub fn name(self) -> &'static str {
        match self {
            UndefinedKind::SignedOverflow => "signed_overflow",
            UndefinedKind::DivisionByZero => "division_by_zero",
            UndefinedKind::ShiftOutOfRange => "shift",
            UndefinedKind::InvalidRead => "read",
            UndefinedKind::InvalidWrite => "write",
            UndefinedKind::InvalidFree => "free",
            UndefinedKind::InvalidCall => "call",
            UndefinedKind::PointerDifference => "pointer_difference",
            UndefinedKind::FloatConversion => "float_conversion",
            UndefinedKind::ZeroCount => "zero_count",
            UndefinedKind::Overlap => "overlap",
            UndefinedKind::Unreachable => "unreachable",
            UndefinedKind::NoReturn => "no_return",
            UndefinedKind::NoValue => "no_value",
            UndefinedKind::ArrayBounds => "array_bounds",
            UndefinedKind::ArrayLength => "array_length",
            UndefinedKind::ConstantWrite => "constant_write",
            UndefinedKind::PointerOrder => "pointer_order",
            UndefinedKind::NullMember => "null_member",
            UndefinedKind::NullArgument => "null_argument",
            UndefinedKind::BadBool => "bad_bool",
            UndefinedKind::Unsequenced => "unsequenced",
        }
    }

    /// The kind of a name.
    pub fn of_name(name: &str) -> Option<UndefinedKind> {
        UndefinedKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
    }

    /// In words, without values.
    pub fn describe(self) -> &'static str {
        match self {
            UndefinedKind::SignedOverflow => "a signed result does not fit its type",
            UndefinedKind::DivisionByZero => "division by zero",
            UndefinedKind::ShiftOutOfRange => "the amount of a shift is out of range",
            UndefinedKind::InvalidRead => "an invalid read",
            UndefinedKind::InvalidWrite => "an invalid write",
            UndefinedKind::InvalidFree => "an invalid free",
            UndefinedKind::InvalidCall => "a call through a pointer to no such function",
            UndefinedKind::PointerDifference => "the difference of addresses of two objects",
            UndefinedKind::FloatConversion => "a number does not fit the integer it becomes",
            UndefinedKind::ZeroCount => "count of the zeros before or behind the bits of 0",
            UndefinedKind::Overlap => "a copy between places that overlap",
            UndefinedKind::Unreachable => "what is declared unreachable was reached",
            UndefinedKind::NoReturn => "a function returned that is declared not to",
            UndefinedKind::NoValue => "the value of a call is used that returned without one",
            UndefinedKind::ArrayBounds => "an index is outside the array",
            UndefinedKind::ArrayLength => "the length of an array is not positive",
            UndefinedKind::ConstantWrite => "a write to an object that is constant",
            UndefinedKind::PointerOrder => "an order between addresses of two objects",
            UndefinedKind::NullMember => "the address of a member of a null pointer",
            UndefinedKind::NullArgument => "a null pointer is passed to a library function",
            UndefinedKind::BadBool => "a _Bool is neither 0 nor 1",
            UndefinedKind::Unsequenced => "effects on one object in no order",
        }
    }
}
