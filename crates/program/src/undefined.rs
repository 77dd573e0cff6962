//! The kinds of undefined behaviour.
//!
//! A run ends there: what follows is not behaviour of the program. Some are steps of a program
//! ([`Halt::Undefined`](crate::ir::Halt)), made in lowering where the syntax shows what the IR no
//! longer does; the machine detects the others as it runs. `docs/guide/undefined.md` lists all of
//! them.

/// Defines the kinds, each with its name in programs as text and what is said about it without
/// values.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal, $words:literal;)*) => {
        base::named_enum! {
            /// What is undefined.
            pub enum UndefinedKind {
                $($(#[$doc])* $kind = $name,)*
            }
        }

        impl UndefinedKind {
            /// In words, without values.
            pub fn describe(self) -> &'static str {
                match self {
                    $(UndefinedKind::$kind => $words,)*
                }
            }
        }
    };
}

kinds! {
    /// The result of arithmetic does not fit its signed type.
    SignedOverflow = "signed_overflow", "a signed result does not fit its type";
    /// A division or remainder by zero.
    DivisionByZero = "division_by_zero", "division by zero";
    /// A shift by a negative amount, or by the width or more.
    ShiftOutOfRange = "shift", "the amount of a shift is out of range";
    /// A read of what is not a live object.
    InvalidRead = "read", "an invalid read";
    /// A write to what is not a live object, or may not be written.
    InvalidWrite = "write", "an invalid write";
    /// `free` of what is not a live heap object.
    InvalidFree = "free", "an invalid free";
    /// A call through a pointer to no function, or to one of another type.
    InvalidCall = "call", "a call through a pointer to no such function";
    /// The difference of addresses of different objects.
    PointerDifference = "pointer_difference", "the difference of addresses of two objects";
    /// A floating-point number becomes an integer that cannot hold it.
    FloatConversion = "float_conversion", "a number does not fit the integer it becomes";
    /// The zeros before or after the bits of zero are counted.
    ZeroCount = "zero_count", "count of the zeros before or behind the bits of 0";
    /// A copy between places that overlap.
    Overlap = "overlap", "a copy between places that overlap";
    /// `__builtin_unreachable`, or a computed `goto` to no label.
    Unreachable = "unreachable", "what is declared unreachable was reached";
    /// A function that does not return did.
    NoReturn = "no_return", "a function returned that is declared not to";
    /// The value of a call that ended without one is used.
    NoValue = "no_value", "the value of a call is used that returned without one";
    /// An element outside the array that is indexed, though perhaps inside its object.
    ArrayBounds = "array_bounds", "an index is outside the array";
    /// The length of an array is not positive.
    ArrayLength = "array_length", "the length of an array is not positive";
    /// A write to an object that is constant.
    ConstantWrite = "constant_write", "a write to an object that is constant";
    /// An order between addresses of different objects.
    PointerOrder = "pointer_order", "an order between addresses of two objects";
    /// The address of a member of nothing.
    NullMember = "null_member", "the address of a member of a null pointer";
    /// A null pointer where the library wants an object, however small.
    NullArgument = "null_argument", "a null pointer is passed to a library function";
    /// A `_Bool` that is neither 0 nor 1.
    BadBool = "bad_bool", "a _Bool is neither 0 nor 1";
    /// Two side effects on one object, or an effect and a read of it, in no order.
    Unsequenced = "unsequenced", "effects on one object in no order";
}
