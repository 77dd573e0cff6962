//! Objects with static storage.

use super::init::Image;
use super::procedure::Lowering;
use super::types::Shape;
use super::{Context, Storage, new_object};
use base::Span;
use cfront::ast::{Global, GlobalId, InitValue};
use cfront::types::{ArrayLen, Qualifiers, Type as CType, TypeId};
use logic::IntType;
use program::expr::{Expr, Type};
use program::ir::*;

/// How many scalars of an object can be given any value one by one.
const LEAVES: usize = 4096;

impl<'a> Context<'a> {
    /// Where a global is; its initial value comes later if it is new.
    pub(super) fn global(&mut self, global: GlobalId) -> Storage {
        if let Some(storage) = &self.globals[global] {
            return storage.clone();
        }
        let row = &self.ast.globals[global];
        let storage = match self.shape(row.ty.ty) {
            Shape::Scalar(ty) if !self.taken.globals[global] => Storage::Var(
                self.program
                    .add_global(row.name.clone(), ty.zero(), row.span),
            ),
            Shape::Scalar(_) | Shape::Memory => match self.size_with_tail(row) {
                Some(size) => Storage::Object(self.global_object(row, size)),
                None => {
                    Storage::Unsupported(format!("`{}`, whose size is not known", row.name).into())
                }
            },
            Shape::Void | Shape::Function => {
                Storage::Unsupported(format!("`{}` of incomplete type", row.name).into())
            }
        };
        self.globals[global] = Some(storage.clone());
        self.open_globals.push_back(global);
        storage
    }

    /// Bytes of a global; an initialised flexible array at its end counts.
    fn size_with_tail(&self, row: &Global) -> Option<u64> {
        let size = self.size(row.ty.ty)?;
        let items = row.init.iter().flat_map(|init| &init.items);
        // A bit-field lies inside the record.
        let items = items.filter(|item| item.bits.is_none());
        let ends = items.map(|item| {
            let size = match (self.size(item.ty), &item.value) {
                (Some(size), _) => size,
                (None, InitValue::String(string)) => self.ast.strings[*string].bytes.len() as u64,
                (None, InitValue::Expr(_)) => 0,
            };
            item.offset + size
        });
        Some(ends.fold(size, u64::max))
    }

    fn global_object(&mut self, row: &Global, size: u64) -> ObjectId {
        let align = row.align.unwrap_or(1).max(self.align(row.ty.ty));
        let object = new_object(row.name.clone(), (size, align), Scope::Global, row.span);
        self.program.objects.push(object)
    }

    fn is_const(&self, row: &Global) -> bool {
        let core = self.ast.types.array_core(row.ty);
        core.quals.contains(Qualifiers::CONST)
    }

    /// The scalars that an object of the type consists of, and their places. `None` if there are
    /// too many.
    pub(super) fn leaves(&self, ty: TypeId, at: u64, leaves: &mut Vec<(u64, Type)>) -> Option<()> {
        if leaves.len() > LEAVES {
            return None;
        }
        if let Some(scalar) = self.scalar(ty) {
            leaves.push((at, scalar));
            return Some(());
        }
        match self.ast.types.get(ty) {
            CType::Array(element, ArrayLen::Known(len)) => {
                let size = self.size(element.ty)?;
                for index in 0..*len {
                    self.leaves(element.ty, at + index * size, leaves)?;
                }
            }
            CType::Record(id) => {
                let record = &self.ast.types.records[*id];
                let body = record.body.as_ref()?;
                if record.is_union || body.fields.iter().any(|field| field.bits.is_some()) {
                    self.byte_leaves(at, body.size, leaves)?;
                } else {
                    for field in &body.fields {
                        if self.size(field.ty.ty).is_some() {
                            self.leaves(field.ty.ty, at + field.offset, leaves)?;
                        }
                    }
                }
            }
            _ => self.byte_leaves(at, self.size(ty)?, leaves)?,
        }
        (leaves.len() <= LEAVES).then_some(())
    }

    fn byte_leaves(&self, at: u64, size: u64, leaves: &mut Vec<(u64, Type)>) -> Option<()> {
        if size > LEAVES as u64 {
            return None;
        }
        leaves.extend((0..size).map(|index| (at + index, Type::Int(IntType::U8))));
        Some(())
    }
}

impl<'a> Lowering<'_, 'a> {
    /// Gives a global its initial value; what is not constant is set here, before `main`.
    pub(super) fn initialize_global(&mut self, global: GlobalId) {
        let ast = self.cx.ast;
        let row = &ast.globals[global];
        let storage = self.cx.global(global);
        if !row.defined {
            return self.undefined_global(row, &storage);
        }
        match storage {
            Storage::Var(var) => self.initialize_global_var(var, row),
            Storage::Object(object) => self.initialize_global_object(object, row),
            Storage::Indirect(_) | Storage::Unsupported(_) => {}
        }
    }

    fn initialize_global_var(&mut self, var: VarId, row: &'a Global) {
        let ty = self.cx.program.vars[var].ty;
        for expr in row.init.iter().flat_map(|init| init.exprs()) {
            let value = self.value(expr);
            let value = self.converted(value, ty);
            match value.constant() {
                Some(constant) => self.cx.program.vars[var].init = Some(constant),
                None => self.assign_var(var, value, expr.span),
            }
        }
    }

    fn initialize_global_object(&mut self, object: ObjectId, row: &'a Global) {
        let size = self.cx.program.objects[object].size;
        let mut image = Image::new(size, self.cx.program.pointer_bytes);
        let mut constant = true;
        for item in row.init.iter().flat_map(|init| &init.items) {
            if !self.draw(&mut image, item) {
                constant = false;
                self.initialize_item(&Expr::Object(object), item);
            }
        }
        self.cx.program.objects[object].init = image.finish();
        self.cx.program.objects[object].read_only = constant && self.cx.is_const(row);
    }

    /// A global that only other units define.
    fn undefined_global(&mut self, row: &'a Global, storage: &Storage) {
        let span = row.span;
        let stream = matches!(&*row.name, "stdin" | "stdout" | "stderr");
        match storage {
            Storage::Var(var) if stream && self.cx.program.vars[*var].ty == Type::Ptr => {
                let file = new_object(format!("${}", row.name), (1, 1), Scope::Global, span);
                let file = self.cx.program.objects.push(file);
                return self.assign_var(*var, Expr::Object(file), span);
            }
            Storage::Var(var) => {
                let ty = self.cx.program.vars[*var].ty;
                let site = self
                    .cx
                    .program
                    .add_site(SiteKind::External, ty, row.name.clone(), span);
                self.emit(Op::Havoc(Place::Var(*var), site), span);
            }
            Storage::Object(object) => {
                let address = Expr::Object(*object);
                self.havoc_object(
                    address,
                    row.ty.ty,
                    SiteKind::External,
                    row.name.clone(),
                    span,
                );
            }
            Storage::Indirect(_) | Storage::Unsupported(_) => return,
        }
        self.cx.assume(format!(
            "`{}` is defined elsewhere: it starts with any value",
            row.name
        ));
    }

    /// Gives every scalar of an object any value.
    pub(super) fn havoc_object(
        &mut self,
        address: Expr,
        ty: TypeId,
        kind: SiteKind,
        name: std::sync::Arc<str>,
        span: Span,
    ) {
        let mut leaves = Vec::new();
        if self.cx.leaves(ty, 0, &mut leaves).is_none() {
            return self.unsupported(format!("`{name}` with any value: it is too large"), span);
        }
        for (offset, ty) in leaves {
            let at = self.after(address.clone(), offset);
            let site = self.cx.program.add_site(kind, ty, name.clone(), span);
            self.emit(Op::Havoc(Place::Mem(ty, at), site), span);
        }
    }
}
