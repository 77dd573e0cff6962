//! Programs for tests, from their text.

use logic::{IntType, IntValue};
use program::expr::Constant;
pub(crate) use program::testing::{parse as program, parse_main};

/// A value of an `i32`.
pub(crate) fn number(value: i32) -> Constant {
    Constant::Int(IntValue::wrap(IntType::signed(32), i128::from(value)))
}
