//! The source's name for a memory location: `a[2].x` rather than an object and an offset.

use base::Span;
use cfront::ast::Ast;
use cfront::types::TypeId;
use exec::{Storage, Target, Value};
use program::ir::{ObjectId, Program};
use program::values;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use witness::names::declared_types;

/// Finds names.
pub(super) struct Names<'a> {
    program: &'a Program,
    ast: Option<&'a Ast>,
    /// By declaration: the type.
    types: FxHashMap<(Span, Arc<str>), TypeId>,
}

impl<'a> Names<'a> {
    /// The names of a program; without a syntax tree only those of whole objects.
    pub(super) fn new(program: &'a Program, ast: Option<&'a Ast>) -> Self {
        Names {
            program,
            ast,
            types: ast.map(declared_types).unwrap_or_default(),
        }
    }

    /// A place; made-up ones start with `$`.
    pub(super) fn target(&self, target: Target) -> String {
        match target {
            Target::Object(Storage::Declared(object), offset) => self
                .inside(object, offset)
                .unwrap_or_else(|| target.describe(self.program)),
            Target::Var(_) | Target::Object(..) => target.describe(self.program),
        }
    }

    /// A value.
    pub(super) fn value(&self, value: Value) -> String {
        match value {
            Value::Constant(constant) => values::show(constant),
            // The address of an object is that of its first element, too.
            Value::Address(Storage::Declared(object), offset) if offset != 0 => self
                .inside(object, offset)
                .map_or_else(|| value.describe(self.program), |name| format!("&{name}")),
            Value::Address(..) | Value::Proc(_) | Value::Wild(_) => value.describe(self.program),
        }
    }

    /// What stands so many bytes after the start of an object, if that has a name.
    fn inside(&self, object: ObjectId, offset: i64) -> Option<String> {
        let row = &self.program.objects[object];
        let ty = *self.types.get(&(row.span, row.name.clone()))?;
        let offset = u64::try_from(offset).ok().filter(|&at| at < row.size)?;
        let (part, _) = self.ast?.types.part_at(ty, offset)?;
        Some(format!("{}{part}", row.name))
    }
}
