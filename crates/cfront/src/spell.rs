//! Types as C spells them, for diagnostics and dumps.

use crate::types::{ArrayLen, FunctionType, QualType, Qualifiers, Type, Types};

/// Layers after which a type is cut short.
const DEPTH: usize = 40;

impl Types {
    /// A type without a name: `int (*)[3]`, `const char *`, `struct s`.
    pub fn display(&self, ty: impl Into<QualType>) -> String {
        self.declare(ty, "")
    }

    /// The declaration of a name: `int (*p)[3]`.
    pub fn declare(&self, ty: impl Into<QualType>, name: &str) -> String {
        self.spell(ty.into(), name.to_string(), DEPTH)
    }

    /// Grows the declarator outwards from the name while the type is peeled inwards.
    fn spell(&self, ty: QualType, mut declarator: String, depth: usize) -> String {
        let mut ty = ty;
        for _ in 0..depth {
            match self.get(ty.ty) {
                Type::Pointer(to) => {
                    let quals = qualifiers(ty.quals);
                    let space = if quals.is_empty() || declarator.is_empty() {
                        ""
                    } else {
                        " "
                    };
                    declarator = format!("*{}{space}{declarator}", quals.trim_end());
                    ty = *to;
                }
                Type::Array(element, len) => {
                    let len = match len {
                        ArrayLen::Known(len) => len.to_string(),
                        ArrayLen::Unknown => String::new(),
                        ArrayLen::Variable(local) => local.to_string(),
                    };
                    declarator = format!("{}[{len}]", suffixed(&declarator));
                    ty = QualType {
                        ty: element.ty,
                        quals: element.quals.union(ty.quals),
                    };
                }
                Type::Function(function) => {
                    let params = self.params(function, depth / 2);
                    declarator = format!("{}({params})", suffixed(&declarator));
                    ty = function.ret;
                }
                base => {
                    let space = if declarator.is_empty() { "" } else { " " };
                    let quals = qualifiers(ty.quals);
                    return format!("{quals}{}{space}{declarator}", self.base_name(base));
                }
            }
        }
        format!("… {declarator}")
    }

    fn params(&self, function: &FunctionType, depth: usize) -> String {
        let mut params: Vec<String> = function
            .params
            .iter()
            .map(|&param| self.spell(param, String::new(), depth))
            .collect();
        if function.variadic {
            params.push("...".to_string());
        }
        if params.is_empty() && function.prototype {
            params.push("void".to_string());
        }
        params.join(", ")
    }

    fn base_name(&self, ty: &Type) -> String {
        let tagged = |keyword: &str, tag: &Option<std::sync::Arc<str>>| {
            format!("{keyword} {}", tag.as_deref().unwrap_or("<unnamed>"))
        };
        match ty {
            Type::Void => "void".to_string(),
            Type::Bool => "_Bool".to_string(),
            Type::Int(kind) => kind.name().to_string(),
            Type::Float(kind) => kind.name().to_string(),
            Type::Complex(kind) => format!("_Complex {}", kind.name()),
            Type::Enum(id) => tagged("enum", &self.enums[*id].tag),
            Type::Record(id) => {
                let record = &self.records[*id];
                let keyword = if record.is_union { "union" } else { "struct" };
                tagged(keyword, &record.tag)
            }
            Type::VaList => "__builtin_va_list".to_string(),
            Type::Pointer(_) | Type::Array(..) | Type::Function(_) => {
                unreachable!("a derived type should have been peeled")
            }
        }
    }
}

/// A declarator ready for `[…]` or `(…)` after it.
fn suffixed(declarator: &str) -> String {
    if declarator.starts_with('*') {
        format!("({declarator})")
    } else {
        declarator.to_string()
    }
}

/// The qualifiers in order, each followed by a space.
fn qualifiers(quals: Qualifiers) -> String {
    [
        (Qualifiers::CONST, "const "),
        (Qualifiers::VOLATILE, "volatile "),
        (Qualifiers::RESTRICT, "restrict "),
        (Qualifiers::ATOMIC, "_Atomic "),
    ]
    .iter()
    .filter(|(qual, _)| quals.contains(*qual))
    .map(|&(_, text)| text)
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{DataModel, TypeId};

    #[test]
    fn spells_declarators() {
        let mut types = Types::new(DataModel::Lp64);
        let constant = |ty: TypeId| QualType {
            ty,
            quals: Qualifiers::CONST,
        };
        let int = types.int();
        let three = types.array_of(int.into(), ArrayLen::Known(3));
        let to_three = types.pointer_to(three.into());
        let text = types.pointer_to(constant(types.char()));
        let texts = types.pointer_to(constant(text));
        let function = types.intern(Type::Function(FunctionType {
            ret: to_three.into(),
            params: vec![int.into(), text.into()],
            variadic: true,
            prototype: true,
        }));
        let callback = types.pointer_to(function.into());
        let callbacks = types.array_of(callback.into(), ArrayLen::Unknown);
        for (ty, expected) in [
            (QualType::from(int), "int"),
            (three.into(), "int [3]"),
            (to_three.into(), "int (*)[3]"),
            (text.into(), "const char *"),
            (constant(text), "const char *const"),
            (texts.into(), "const char *const *"),
            (function.into(), "int (*(int, const char *, ...))[3]"),
            (callbacks.into(), "int (*(*[])(int, const char *, ...))[3]"),
        ] {
            assert_eq!(types.display(ty), expected);
        }
        assert_eq!(
            types.declare(callback, "f"),
            "int (*(*f)(int, const char *, ...))[3]"
        );
        let mut deep = int;
        for _ in 0..100_000 {
            deep = types.pointer_to(deep.into());
        }
        assert!(types.display(deep).len() < 100);
    }
}
