//! Values and types as people write them.

use crate::expr::{Constant, FloatType, Type};
use crate::ir::SiteKind;

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

/// A type's short name: `i32`, `bool`, `f64`, `ptr`.
pub fn type_name(ty: Type) -> String {
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::Int(ty) => ty.to_string(),
        Type::Float(FloatType::F32) => "f32".to_owned(),
        Type::Float(FloatType::F64) => "f64".to_owned(),
        Type::Ptr => "ptr".to_owned(),
    }
}

/// The name of a kind of site.
pub fn kind_name(kind: SiteKind) -> &'static str {
    match kind {
        SiteKind::Nondet => "nondet",
        SiteKind::External => "external",
        SiteKind::Uninitialized => "uninitialized",
        SiteKind::Argument => "argument",
        SiteKind::Outside => "outside",
        SiteKind::Choice => "choice",
    }
}
