//! Values in readable form.

use crate::expr::{Constant, FloatType};

/// A value, without its type.
pub fn show(value: Constant) -> String {
    match value {
        Constant::Bool(value) => u8::from(value).to_string(),
        Constant::Int(value) => value.to_string(),
        Constant::Float(FloatType::F32, bits) => f32::from_bits(bits as u32).to_string(),
        Constant::Float(FloatType::F64, bits) => f64::from_bits(bits).to_string(),
        Constant::Null => "0".to_owned(),
    }
}
