//! Z3's context, one per thread, and the objects that live in it.
//!
//! # Invariants
//! - An object holds its context, so the context is freed last.
//! - A lost context belongs to a call that never returned: nothing in it is touched again, not even
//!   to free it.

use super::version::version;
use std::cell::{Cell, RefCell};
use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use z3_sys::*;

/// What Z3 complained about.
pub(crate) type Error = String;

/// What is said of a panic.
pub(crate) const PANIC: &str = "a panic in the solver";

/// The result of some calls, a panic being an error.
pub(crate) fn caught<T>(panic: &str, calls: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(calls)).unwrap_or_else(|_| Err(panic.into()))
}

/// Where all of Z3's objects of one thread live.
pub(crate) struct Context {
    raw: Z3_context,
    lost: Cell<bool>,
    /// Z3's count of its resources when it was last looked at.
    count: Cell<u32>,
    pub(super) bool_sort: Z3_sort,
    pub(super) int_sort: Z3_sort,
    pub(super) real_sort: Z3_sort,
    pub(super) array_sort: Z3_sort,
}

thread_local! {
    static CURRENT: RefCell<Option<Rc<Context>>> = const { RefCell::new(None) };
}

impl Context {
    /// The context of this thread, made when it is first asked for.
    pub(crate) fn current() -> Result<Rc<Context>, Error> {
        CURRENT.with(|current| {
            let mut current = current.borrow_mut();
            if let Some(context) = &*current {
                return Ok(context.clone());
            }
            let context = Rc::new(Context::new()?);
            *current = Some(context.clone());
            Ok(context)
        })
    }

    fn new() -> Result<Context, Error> {
        version()?;
        // SAFETY: the configuration lives until the context is made from it. The error handler is
        // taken out, since Z3's own would end the process; errors are asked for instead. During a
        // check Z3 would take SIGINT for itself, and the process would never hear of it.
        unsafe {
            Z3_global_param_set(c"ctrl_c".as_ptr(), c"false".as_ptr());
            let config = Z3_mk_config().ok_or("Z3 made no configuration")?;
            let raw = Z3_mk_context_rc(config);
            Z3_del_config(config);
            let raw = raw.ok_or("Z3 made no context")?;
            Z3_set_error_handler(raw, None);
            // A context keeps these three by itself.
            let sorts = (
                Z3_mk_bool_sort(raw),
                Z3_mk_int_sort(raw),
                Z3_mk_real_sort(raw),
            );
            let (Some(bool_sort), Some(int_sort), Some(real_sort)) = sorts else {
                return Err("Z3 made no sorts".into());
            };
            let array_sort = Z3_mk_array_sort(raw, int_sort, int_sort);
            let array_sort = array_sort.ok_or("Z3 made no sorts")?;
            // Held until the context goes.
            Z3_inc_ref(
                raw,
                Z3_sort_to_ast(raw, array_sort).ok_or("Z3 made no sorts")?,
            );
            Ok(Context {
                raw,
                lost: Cell::new(false),
                count: Cell::new(0),
                bool_sort,
                int_sort,
                real_sort,
                array_sort,
            })
        }
    }

    /// For a call.
    pub(super) fn raw(&self) -> Z3_context {
        self.raw
    }

    /// Whether a call was given up that is still running in it.
    pub(crate) fn is_lost(&self) -> bool {
        self.lost.get()
    }

    /// Leaves the context to a call that does not come back; the thread gets another one.
    pub(super) fn lose(&self) {
        self.lost.set(true);
        self.retire();
    }

    /// Lets the thread have another context from now on. This one goes with its last object.
    pub(crate) fn retire(&self) {
        CURRENT.with(|current| {
            let mut current = current.borrow_mut();
            if current
                .as_ref()
                .is_some_and(|context| context.raw == self.raw)
            {
                *current = None;
            }
        });
    }

    /// Retires the thread's context, if it has one.
    pub(crate) fn retire_current() {
        CURRENT.with(|current| current.borrow_mut().take());
    }

    /// How far Z3's count of its resources has moved since the last time. It counts for the whole
    /// context, and may wrap around.
    pub(super) fn counted(&self, now: u32) -> u64 {
        now.wrapping_sub(self.count.replace(now)).into()
    }

    /// What went wrong in the last call.
    pub(super) fn error(&self) -> Option<Error> {
        // SAFETY: the context is alive; the text is copied before the next call.
        unsafe {
            let code = Z3_get_error_code(self.raw);
            if code == ErrorCode::Ok {
                return None;
            }
            Some(text(Z3_get_error_msg(self.raw, code)))
        }
    }

    /// The result of a call that gives nothing back.
    pub(super) fn done(&self) -> Result<(), Error> {
        match self.error() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// The result of a call that made an object.
    pub(super) fn made<T>(&self, object: Option<T>) -> Result<T, Error> {
        object.ok_or_else(|| self.error().unwrap_or_else(|| "Z3 gave nothing".into()))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if !self.lost.get() {
            // SAFETY: every object holds the context, so none is left.
            unsafe { Z3_del_context(self.raw) };
        }
    }
}

/// Copies one of Z3's texts.
pub(super) fn text(raw: Z3_string) -> String {
    if raw.is_null() {
        return String::new();
    }
    // SAFETY: Z3's texts end with a zero and live until the next call.
    unsafe { CStr::from_ptr(raw) }
        .to_string_lossy()
        .into_owned()
}

/// A kind of object that Z3 counts references to.
pub(crate) trait Object: Copy {
    /// One reference more.
    ///
    /// # Safety
    /// The object lives in the context.
    unsafe fn keep(self, context: Z3_context);
    /// One reference less.
    ///
    /// # Safety
    /// The object lives in the context, and the reference is ours.
    unsafe fn release(self, context: Z3_context);
}

macro_rules! object {
    ($($type:ty: $keep:ident, $release:ident;)*) => {
        $(impl Object for $type {
            unsafe fn keep(self, context: Z3_context) {
                // SAFETY: as the caller says.
                unsafe { $keep(context, self) }
            }
            unsafe fn release(self, context: Z3_context) {
                // SAFETY: as the caller says.
                unsafe { $release(context, self) }
            }
        })*
    };
}

object! {
    Z3_ast: Z3_inc_ref, Z3_dec_ref;
    Z3_solver: Z3_solver_inc_ref, Z3_solver_dec_ref;
    Z3_model: Z3_model_inc_ref, Z3_model_dec_ref;
    Z3_params: Z3_params_inc_ref, Z3_params_dec_ref;
    Z3_ast_vector: Z3_ast_vector_inc_ref, Z3_ast_vector_dec_ref;
    Z3_stats: Z3_stats_inc_ref, Z3_stats_dec_ref;
    Z3_fixedpoint: Z3_fixedpoint_inc_ref, Z3_fixedpoint_dec_ref;
    Z3_optimize: Z3_optimize_inc_ref, Z3_optimize_dec_ref;
    Z3_func_interp: Z3_func_interp_inc_ref, Z3_func_interp_dec_ref;
    Z3_func_entry: Z3_func_entry_inc_ref, Z3_func_entry_dec_ref;
}

/// An object with a reference of ours to it.
pub(crate) struct Counted<T: Object> {
    context: Rc<Context>,
    raw: T,
}

/// A term of Z3's.
pub(crate) type Ast = Counted<Z3_ast>;

impl<T: Object> Counted<T> {
    /// Takes the result of a call, before any other call is made.
    pub(super) fn new(context: &Rc<Context>, object: Option<T>) -> Result<Self, Error> {
        let raw = context.made(object)?;
        // SAFETY: the object was just made in this context.
        unsafe { raw.keep(context.raw) };
        Ok(Counted {
            context: context.clone(),
            raw,
        })
    }

    /// For a call.
    pub(super) fn raw(&self) -> T {
        self.raw
    }

    /// Where it lives.
    pub(super) fn context(&self) -> &Rc<Context> {
        &self.context
    }
}

impl<T: Object> Clone for Counted<T> {
    fn clone(&self) -> Self {
        if !self.context.is_lost() {
            // SAFETY: the object is alive, as we hold a reference.
            unsafe { self.raw.keep(self.context.raw) };
        }
        Counted {
            context: self.context.clone(),
            raw: self.raw,
        }
    }
}

impl<T: Object> Drop for Counted<T> {
    fn drop(&mut self) {
        if !self.context.is_lost() {
            // SAFETY: the reference is ours and goes with us.
            unsafe { self.raw.release(self.context.raw) };
        }
    }
}

/// Terms with the same shape are the same object to Z3.
impl PartialEq for Ast {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}
