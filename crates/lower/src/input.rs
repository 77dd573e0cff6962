//! Library functions that take input: from a file, a clock, the system.
//!
//! What they store and return are inputs of the kind [`SiteKind::Outside`], within what C and POSIX
//! specify.

use super::external::External;
use super::library::Returns;
use super::procedure::Lowering;
use super::types::Shape;
use base::Span;
use logic::IntType;
use program::expr::{BinaryOp, Constant, Expr, FloatType, Type};
use program::ir::*;

impl<'a> Lowering<'_, 'a> {
    /// A function that depends on the system and changes nothing of the program's but `errno`.
    pub(super) fn any_of(&mut self, returns: Returns, call: &External<'a>) -> Option<Expr> {
        let (span, name) = (call.span, call.name.clone());
        let reads = call.args.iter().any(|arg| self.ty(arg) == Type::Ptr);
        if reads && self.cx.checks(Property::Dereference) {
            let what = format!("`{name}` where every access is checked");
            self.unsupported(what, span);
        }
        self.discard_arguments(call);
        self.any_errno(call);
        let ty = match self.cx.shape(call.ret) {
            Shape::Scalar(ty) if call.want => ty,
            _ => return self.nothing(call),
        };
        self.cx
            .assume(format!("`{name}` returns any value that it may"));
        let value = match (returns, ty) {
            (Returns::Status, _) => {
                let is_fine = self.input(SiteKind::Outside, Type::Bool, name, span);
                Expr::select(is_fine, Expr::i32(0), Expr::i32(-1))
            }
            (Returns::Natural, Type::Int(int)) if int.signed => {
                let natural = Type::Int(IntType::unsigned(int.bits - 1));
                self.input(SiteKind::Outside, natural, name, span)
            }
            (Returns::UpTo(index), Type::Int(int)) => {
                let value = self.input(SiteKind::Outside, ty, name, span);
                let Some(most) = call.args.get(index) else {
                    return self.nothing(call);
                };
                self.at_most(value, int, most.clone(), span)
            }
            (Returns::Any | Returns::Natural | Returns::UpTo(_), _) => {
                self.input(SiteKind::Outside, ty, name, span)
            }
        };
        self.external_result(call, value)
    }

    /// A count that is -1 (for a signed type) or no larger than a number: other inputs do not
    /// count.
    fn at_most(&mut self, value: Expr, ty: IntType, most: Expr, span: Span) -> Expr {
        let most = self.converted(most, Type::Int(ty));
        let fits = Expr::arith(BinaryOp::Le, ty, value.clone(), most);
        let holds = match ty.signed {
            true => {
                let least = Expr::int(ty, -1);
                Expr::and(Expr::arith(BinaryOp::Ge, ty, value.clone(), least), fits)
            }
            false => fits,
        };
        self.assume_holds(holds, span);
        value
    }

    /// `errno` after a function that may have failed: what it was, or any error.
    fn any_errno(&mut self, call: &External<'a>) {
        let Some(errno) = self.cx.errno() else {
            return;
        };
        let error = Type::Int(IntType::unsigned(7));
        let error = self.input(SiteKind::Outside, error, "errno".into(), call.span);
        let is_set = Expr::truth(self.ty(&error), error.clone());
        let error = self.converted(error, Type::I32);
        let value = Expr::select(is_set, error, Expr::load(Type::I32, errno.clone()));
        self.emit(Op::Assign(Place::Mem(Type::I32, errno), value), call.span);
    }

    /// `time(address or null)`
    pub(super) fn time(&mut self, address: &Expr, call: &External<'a>) -> Option<Expr> {
        let (span, name) = (call.span, call.name.clone());
        let Shape::Scalar(ty @ Type::Int(_)) = self.cx.shape(call.ret) else {
            return self.other_arguments(call);
        };
        self.cx.assume(format!("`{name}` returns any value"));
        let address = self.atom(address.clone(), span);
        let now = self.input(SiteKind::Outside, ty, name, span);
        self.store_unless_null(address, ty, now.clone(), span);
        call.want.then_some(now)
    }

    fn store_unless_null(&mut self, address: Expr, ty: Type, value: Expr, span: Span) {
        let is_some = Expr::truth(Type::Ptr, address.clone());
        self.when(is_some, span, |s| {
            let bytes = ty.bytes(s.cx.program.pointer_bytes);
            let address = s.checked_address(address, bytes, true, span);
            s.emit(Op::Assign(Place::Mem(ty, address), value), span);
        });
    }

    /// Stores any time as seconds and parts of a second, or fails.
    pub(super) fn clock(&mut self, at: usize, parts: u32, call: &External<'a>) -> Option<Expr> {
        let (span, name) = (call.span, call.name.clone());
        let word = self.cx.program.offset_type();
        let source = call.sources.get(at).map(|source| source.ty.ty);
        let target = source.and_then(|ty| self.cx.pointee(ty));
        let mut leaves = Vec::new();
        let plain = target.is_some_and(|ty| self.cx.leaves(ty, 0, &mut leaves).is_some());
        let is_pair = matches!(leaves[..], [(0, Type::Int(_)), (_, Type::Int(_))]);
        if !plain || !is_pair {
            return self.other_arguments(call);
        }
        self.cx.assume(format!("`{name}` stores any time"));
        let address = self.atom(call.args[at].clone(), span);
        let is_fine = self.input(SiteKind::Outside, Type::Bool, name.clone(), span);
        self.when(is_fine.clone(), span, |s| {
            for (index, (offset, ty)) in leaves.into_iter().enumerate() {
                let value = match index {
                    0 => s.input(SiteKind::Outside, ty, name.clone(), span),
                    _ => {
                        let part = IntType::unsigned(word.bits);
                        let part_ty = Type::Int(part);
                        let value = s.input(SiteKind::Outside, part_ty, name.clone(), span);
                        let all = Expr::int(part, parts.into());
                        let value = Expr::arith(BinaryOp::Rem, part, value, all);
                        s.converted(value, ty)
                    }
                };
                let at = s.after(address.clone(), offset);
                let bytes = ty.bytes(s.cx.program.pointer_bytes);
                let at = s.checked_address(at, bytes, true, span);
                s.emit(Op::Assign(Place::Mem(ty, at), value), span);
            }
        });
        let status = Expr::select(is_fine, Expr::i32(0), Expr::i32(-1));
        self.external_result(call, status)
    }

    /// `read(file, to, count)`: at most so many bytes, any.
    pub(super) fn read_bytes(
        &mut self,
        to: &Expr,
        count: &Expr,
        call: &External<'a>,
    ) -> Option<Expr> {
        let (span, name) = (call.span, call.name.clone());
        let word = self.cx.program.offset_type();
        self.stores_inputs(call);
        let (to, count) = (self.atom(to.clone(), span), self.atom(count.clone(), span));
        let got = self.input(SiteKind::Outside, Type::Int(word), name.clone(), span);
        let got = self.at_most(got, word, count, span);
        self.any_errno(call);
        let is_some = Expr::arith(BinaryOp::Gt, word, got.clone(), Expr::int(word, 0));
        self.when(is_some, span, |s| {
            s.fill(to, got.clone(), (SiteKind::Outside, &name), span);
        });
        self.external_result(call, got)
    }

    /// `fread(to, size, count, stream)`: at most so many elements, any.
    pub(super) fn fread(
        &mut self,
        to: &Expr,
        size: &Expr,
        count: &Expr,
        call: &External<'a>,
    ) -> Option<Expr> {
        let (span, name) = (call.span, call.name.clone());
        let word = self.cx.program.size_type();
        self.stores_inputs(call);
        let to = self.atom(to.clone(), span);
        let mut whole = |value: &Expr| {
            let value = self.converted(value.clone(), Type::Int(word));
            self.atom(value, span)
        };
        let (size, count) = (whole(size), whole(count));
        let got = self.input(SiteKind::Outside, Type::Int(word), name.clone(), span);
        let got = self.at_most(got, word, count.clone(), span);
        // Of an element that is only partly read, the bytes are not determined either.
        let bytes = Expr::arith(BinaryOp::Mul, word, size, count);
        self.fill(to, bytes, (SiteKind::Outside, &name), span);
        self.external_result(call, got)
    }

    /// `fgets(to, size, stream)`: null, or a text of at most `size - 1` bytes.
    pub(super) fn fgets(&mut self, to: &Expr, size: &Expr, call: &External<'a>) -> Option<Expr> {
        let (span, name) = (call.span, call.name.clone());
        self.stores_inputs(call);
        let to = self.atom(to.clone(), span);
        let size = self.int_atom(size.clone(), span);
        let int = IntType::I32;
        let got = self.input(SiteKind::Outside, Type::Int(int), name.clone(), span);
        let is_line = |got: &Expr| Expr::arith(BinaryOp::Gt, int, got.clone(), Expr::int(int, 0));
        let fits = Expr::arith(BinaryOp::Lt, int, got.clone(), size);
        self.assume_holds(Expr::or(Expr::not(is_line(&got)), fits), span);
        self.when(is_line(&got), span, |s| {
            s.fill(to.clone(), got.clone(), (SiteKind::Outside, &name), span);
            let offset = Type::Int(s.cx.program.offset_type());
            let end = s.offset(to.clone(), Expr::cast(Type::Int(int), offset, got.clone()));
            let end = s.checked_address(end, 1, true, span);
            let zero = Expr::int(IntType::signed(8), 0);
            let place = Place::Mem(Type::Int(IntType::signed(8)), end);
            s.emit(Op::Assign(place, zero), span);
        });
        let result = Expr::select(is_line(&got), to, Expr::null());
        self.external_result(call, result)
    }

    /// `scanf(format, …)`: any values in the first so many arguments.
    pub(super) fn scanf(&mut self, format: usize, call: &External<'a>) -> Option<Expr> {
        let (span, name) = (call.span, call.name.clone());
        let targets: Vec<Expr> = call.args[format + 1..].to_vec();
        let stored = self.conversions(&call.args[format]);
        let Some(stored) = stored.filter(|stored| stored.len() <= targets.len()) else {
            self.unsupported(format!("`{name}` with this format"), span);
            return self.nothing(call);
        };
        self.stores_inputs(call);
        let targets: Vec<Expr> = targets.into_iter().map(|to| self.atom(to, span)).collect();
        let int = IntType::I32;
        let got = self.input(SiteKind::Outside, Type::Int(int), name.clone(), span);
        let most = Expr::int(int, stored.len() as i128);
        let got = self.at_most(got, int, most, span);
        let end = self.location(span);
        for (index, (ty, to)) in stored.into_iter().zip(targets).enumerate() {
            let next = self.location(span);
            let is_read = Expr::arith(
                BinaryOp::Gt,
                int,
                got.clone(),
                Expr::int(int, index as i128),
            );
            self.branch_to(is_read, next, end, span);
            self.cur = next;
            let bytes = ty.bytes(self.cx.program.pointer_bytes);
            let to = self.checked_address(to, bytes, true, span);
            let kind = SiteKind::Outside;
            let site = self.cx.program.add_site(kind, ty, name.clone(), span);
            self.emit(Op::Havoc(Place::Mem(ty, to), site), span);
        }
        self.go_on_at(end, span);
        self.external_result(call, got)
    }

    /// What the conversions of a format that is a literal store, if all of them are plain.
    fn conversions(&self, format: &Expr) -> Option<Vec<Type>> {
        let Expr::Object(object) = *format else {
            return None;
        };
        let object = &self.cx.program.objects[object];
        let text = object.init.bytes.strip_suffix(&[0])?;
        if !object.read_only {
            return None;
        }
        let word = self.cx.program.offset_type().bits;
        let mut stored = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(b"%") {
                rest = after;
                continue;
            }
            let lengths: [(&[u8], u8, bool); 9] = [
                (b"hh", 8, false),
                (b"h", 16, false),
                (b"ll", 64, true),
                (b"l", word, true),
                (b"j", 64, false),
                (b"z", word, false),
                (b"t", word, false),
                (b"q", 64, false),
                (b"", 32, false),
            ];
            let (start, bits, is_long) =
                *lengths.iter().find(|(start, ..)| rest.starts_with(start))?;
            rest = &rest[start.len()..];
            let (&letter, after) = rest.split_first()?;
            rest = after;
            stored.push(match letter {
                b'd' | b'i' => Type::Int(IntType { bits, signed: true }),
                b'u' | b'x' | b'X' | b'o' => Type::Int(IntType::unsigned(bits)),
                b'c' if start.is_empty() => Type::Int(IntType::signed(8)),
                b'f' | b'e' | b'g' | b'a' if start.is_empty() => Type::Float(FloatType::F32),
                b'f' | b'e' | b'g' | b'a' if is_long => Type::Float(FloatType::F64),
                // Texts of any length, sets, widths, places.
                _ => return None,
            });
        }
        Some(stored)
    }

    fn stores_inputs(&mut self, call: &External<'a>) {
        self.cx.assume(format!(
            "`{}` reads any input, as long as it fits",
            call.name
        ));
    }

    /// Null, or a new stream, which no program looks into.
    pub(super) fn opened(&mut self, call: &External<'a>) -> Option<Expr> {
        let (span, name) = (call.span, call.name.clone());
        self.discard_arguments(call);
        self.any_errno(call);
        if [Property::Leak, Property::Cleanup].map(|row| self.cx.checks(row)) != [false; 2] {
            // A stream is memory too, and it is not followed when it is closed.
            self.unsupported(format!("`{name}` where leaks are checked"), span);
        }
        if !call.want {
            return None;
        }
        self.cx
            .assume(format!("`{name}` fails or returns a new stream"));
        let is_fine = self.input(SiteKind::Outside, Type::Bool, name, span);
        let made = |s: &mut Self| {
            let size = s.cx.size_const(1);
            s.library_value(Library::Malloc, vec![size], span)
        };
        let result = self.choose(is_fine, made, |_| Expr::null(), span);
        self.external_result(call, result)
    }

    /// `setlocale(category, name)`: a program starts in the "C" locale, and we follow it nowhere
    /// else.
    pub(super) fn locale(&mut self, locale: Expr, call: &External<'a>) -> Option<Expr> {
        let is_c = match &locale {
            Expr::Const(Constant::Null) => true,
            Expr::Object(object) => {
                let object = &self.cx.program.objects[*object];
                object.read_only && matches!(&object.init.bytes[..], b"C\0" | b"POSIX\0")
            }
            _ => false,
        };
        if !is_c {
            let what = format!("`{}`: a locale other than \"C\"", call.name);
            self.unsupported(what, call.span);
            return self.nothing(call);
        }
        self.hidden(super::ctype::Hidden::Locale, call)
    }

    /// `fesetround(mode)`
    pub(super) fn set_rounding(&mut self, mode: Expr, call: &External<'a>) -> Option<Expr> {
        let span = call.span;
        let is_other = Expr::arith(BinaryOp::Ne, IntType::I32, mode, Expr::i32(0));
        self.when(is_other, span, |s| {
            s.unsupported(format!("`{}`: another mode of rounding", call.name), span);
        });
        self.external_result(call, Expr::i32(0))
    }
}
