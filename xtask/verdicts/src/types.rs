//! The integer types of C, and what their values are.

/// Which sizes the types have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Model {
    /// `long` has 32 bits.
    Ilp32,
    /// `long` has 64 bits.
    Lp64,
}

impl Model {
    /// Both.
    pub(crate) const ALL: [Model; 2] = [Model::Ilp32, Model::Lp64];

    /// As `--data-model` has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Model::Ilp32 => "ILP32",
            Model::Lp64 => "LP64",
        }
    }

    /// As the compiler has it.
    pub(crate) fn flag(self) -> &'static str {
        match self {
            Model::Ilp32 => "-m32",
            Model::Lp64 => "-m64",
        }
    }
}

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Ty {
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    Unsigned,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
}

impl Ty {
    /// All but `_Bool`.
    pub(crate) const NUMBERS: [Ty; 11] = [
        Ty::Char,
        Ty::SignedChar,
        Ty::UnsignedChar,
        Ty::Short,
        Ty::UnsignedShort,
        Ty::Int,
        Ty::Unsigned,
        Ty::Long,
        Ty::UnsignedLong,
        Ty::LongLong,
        Ty::UnsignedLongLong,
    ];

    /// In C.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Ty::Bool => "_Bool",
            Ty::Char => "char",
            Ty::SignedChar => "signed char",
            Ty::UnsignedChar => "unsigned char",
            Ty::Short => "short",
            Ty::UnsignedShort => "unsigned short",
            Ty::Int => "int",
            Ty::Unsigned => "unsigned int",
            Ty::Long => "long",
            Ty::UnsignedLong => "unsigned long",
            Ty::LongLong => "long long",
            Ty::UnsignedLongLong => "unsigned long long",
        }
    }

    /// The end of the name of the function that draws one, if there is one.
    pub(crate) fn nondet(self) -> Option<&'static str> {
        match self {
            Ty::Bool => Some("bool"),
            Ty::Char => Some("char"),
            Ty::SignedChar | Ty::LongLong | Ty::UnsignedLongLong => None,
            Ty::UnsignedChar => Some("uchar"),
            Ty::Short => Some("short"),
            Ty::UnsignedShort => Some("ushort"),
            Ty::Int => Some("int"),
            Ty::Unsigned => Some("uint"),
            Ty::Long => Some("long"),
            Ty::UnsignedLong => Some("ulong"),
        }
    }

    /// Whether it has negative values; that of `char` is the compiler's on this machine.
    pub(crate) fn is_signed(self) -> bool {
        match self {
            Ty::Char | Ty::SignedChar | Ty::Short | Ty::Int | Ty::Long | Ty::LongLong => true,
            Ty::Bool
            | Ty::UnsignedChar
            | Ty::UnsignedShort
            | Ty::Unsigned
            | Ty::UnsignedLong
            | Ty::UnsignedLongLong => false,
        }
    }

    /// How many bits its values have.
    pub(crate) fn bits(self, model: Model) -> u32 {
        match self {
            Ty::Bool => 1,
            Ty::Char | Ty::SignedChar | Ty::UnsignedChar => 8,
            Ty::Short | Ty::UnsignedShort => 16,
            Ty::Int | Ty::Unsigned => 32,
            Ty::Long | Ty::UnsignedLong => match model {
                Model::Ilp32 => 32,
                Model::Lp64 => 64,
            },
            Ty::LongLong | Ty::UnsignedLongLong => 64,
        }
    }

    /// The least and the greatest value.
    pub(crate) fn range(self, model: Model) -> (i128, i128) {
        let bits = self.bits(model);
        if self.is_signed() {
            (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        } else {
            (0, (1 << bits) - 1)
        }
    }

    /// What the 64 bits of a probe mean.
    pub(crate) fn value(self, bits: i64) -> i128 {
        match self {
            Ty::UnsignedLongLong | Ty::UnsignedLong => i128::from(bits as u64),
            Ty::Bool
            | Ty::Char
            | Ty::SignedChar
            | Ty::UnsignedChar
            | Ty::Short
            | Ty::UnsignedShort
            | Ty::Int
            | Ty::Unsigned
            | Ty::Long
            | Ty::LongLong => i128::from(bits),
        }
    }

    /// What arithmetic makes of it.
    pub(crate) fn promoted(self) -> Ty {
        match self {
            Ty::Bool
            | Ty::Char
            | Ty::SignedChar
            | Ty::UnsignedChar
            | Ty::Short
            | Ty::UnsignedShort
            | Ty::Int => Ty::Int,
            Ty::Unsigned | Ty::Long | Ty::UnsignedLong | Ty::LongLong | Ty::UnsignedLongLong => {
                self
            }
        }
    }

    /// The type of an operation on two. Where the data models differ (`unsigned` and `long`) it is
    /// the signed one, of which more can go wrong.
    pub(crate) fn common(self, other: Ty) -> Ty {
        self.promoted().max(other.promoted())
    }

    /// A constant of the type's range as C: neither its type nor the minus sign changes its value.
    pub(crate) fn constant(self, value: i128) -> String {
        let suffix = match self.promoted() {
            Ty::Unsigned => "U",
            Ty::Long => "L",
            Ty::UnsignedLong => "UL",
            Ty::LongLong => "LL",
            Ty::UnsignedLongLong => "ULL",
            _ => "",
        };
        let is_least = [31, 63].iter().any(|&bits| value == -(1_i128 << bits));
        match value {
            _ if is_least => format!("({}{suffix} - 1)", value + 1),
            _ if value < 0 => format!("({value}{suffix})"),
            _ => format!("{value}{suffix}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_numbers_are_written_as_c_can_read_them() {
        assert_eq!(Ty::Int.constant(-(1 << 31)), "(-2147483647 - 1)");
        assert_eq!(Ty::SignedChar.constant(-128), "(-128)");
        assert_eq!(Ty::UnsignedLong.constant(7), "7UL");
    }

    #[test]
    fn a_probe_of_an_unsigned_type_is_never_negative() {
        assert_eq!(Ty::UnsignedLongLong.value(-1), (1 << 64) - 1);
        assert_eq!(Ty::Long.value(-1), -1);
    }
}
