//! Enums whose variants have names: in texts that are read and printed, in tables and reports.

/// Defines enums from the names of their variants: `ALL` has the variants in order, `name` gives
/// the name of one and `of_name` finds the one of a name.
#[macro_export]
macro_rules! named_enum {
    ($($(#[$meta:meta])* pub enum $Enum:ident {
        $($(#[$doc:meta])* $variant:ident = $name:literal,)+
    })+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $Enum {
            $($(#[$doc])* $variant,)+
        }

        impl $Enum {
            /// All of them, in order.
            pub const ALL: &[$Enum] = &[$($Enum::$variant,)+];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self {
                    $($Enum::$variant => $name,)+
                }
            }

            /// The one of a name.
            pub fn of_name(name: &str) -> Option<$Enum> {
                $Enum::ALL.iter().copied().find(|one| one.name() == name)
            }
        }
    )+};
}
