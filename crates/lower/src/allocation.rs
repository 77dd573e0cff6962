//! Allocations, which may fail.
//!
//! The library functions of the IR never do. Whether one of C's fails is an input in front of the call,
//! so that whatever runs, proves or unwinds programs knows of it without more.

use super::FailingAllocations;
use super::external::External;
use super::library::is_verifiers;
use super::procedure::Lowering;
use base::Span;
use program::expr::{Expr, Type};
use program::ir::*;

/// The error of an allocation that fails, as Linux numbers it.
const ENOMEM: i32 = 12;

impl<'a> Lowering<'_, 'a> {
    /// A call of `malloc`, `calloc` or `realloc`, with arguments of the right types.
    pub(super) fn allocation(
        &mut self,
        library: Library,
        mut args: Vec<Expr>,
        call: &External<'a>,
    ) -> Option<Expr> {
        let (span, name) = (call.span, library.name());
        let is_saved = !matches!(args[0], Expr::Var(_));
        self.check_library(library, &mut args, span);
        let may_fail = match self.cx.options.failing {
            FailingAllocations::None => false,
            FailingAllocations::Realloc => library == Library::Realloc,
            FailingAllocations::All => true,
        };
        if !may_fail || is_verifiers(&call.name) {
            self.cx.assume(format!("`{name}` never fails"));
            return self.library_call(library, args, None, call);
        }
        let args: Vec<Expr> = (args.into_iter()).map(|arg| self.atom(arg, span)).collect();
        let mut fails = self.input(SiteKind::Failure, Type::Bool, name.into(), span);
        if let (Library::Realloc, [_, size]) = (library, &args[..]) {
            // As the C library of GNU has it, to ask for no bytes is to free.
            fails = Expr::and(fails, Expr::truth(self.ty(size), size.clone()));
        }
        let (failed, made) = (self.location(span), self.location(span));
        self.branch_to(fails, failed, made, span);
        self.cur = failed;
        if library == Library::Realloc {
            self.need_freeable(args[0].clone(), span);
            if let (Expr::Var(saved), true) = (&args[0], is_saved) {
                // What it points to may be lost now, and must not seem to be reached.
                self.emit(Op::Assign(Place::Var(*saved), Expr::null()), span);
            }
        }
        self.set_errno(ENOMEM, span);
        let result = self.temp(Type::Ptr, span);
        let null = self.emit(Op::Assign(Place::Var(result), Expr::null()), span);
        let join = std::mem::replace(&mut self.cur, made);
        let contents = (library != Library::Calloc).then(|| self.contents_site(name, span));
        let call_op = Op::Call(Call {
            contents,
            ..Call::new(Some(result), Callee::Library(library), args)
        });
        let object = self.emit(call_op, span);
        // No step lies between the call and the join, so that no temporary is left behind.
        self.procedure.edges[object].target = join;
        self.cur = join;
        let value = self.filled_both_ways(result, [null, object]);
        self.external_result(call, value)
    }

    /// To change what cannot be freed is undefined, also where it fails: no run goes on. Where it
    /// succeeds the machine says so; one branch more here would be a goal of tests.
    fn need_freeable(&mut self, address: Expr, span: Span) {
        if !self.cx.checks(Property::Free) {
            self.emit(Op::Assume(Expr::Freeable(Box::new(address))), span);
        }
    }

    /// Sets `errno`, if the program looks at it.
    fn set_errno(&mut self, error: i32, span: Span) {
        if let Some(errno) = self.cx.errno() {
            let place = Place::Mem(Type::I32, errno);
            self.emit(Op::Assign(place, Expr::i32(error)), span);
        }
    }
}
