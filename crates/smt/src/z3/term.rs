//! Translates Z3's terms to ours.
//!
//! Supported: Booleans, linear arithmetic and arrays of integers, with bound variables. Quantifiers
//! are accepted where a formula is universal, and the variables that they bind become new symbols.
//! Anything else is an error.

use super::context::{Ast, Context, Counted, Error};
use super::read::{number, sort, sort_of};
use logic::{Sort, TermId, TermStore, TermValue};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use z3_sys::*;

/// Reads terms below the same quantifiers.
pub(crate) struct TermReader<'r> {
    context: Rc<Context>,
    store: &'r mut TermStore,
    /// What the bound variables are, the innermost last.
    bound: Vec<TermId>,
    /// New symbols for the variables of universal quantifiers inside.
    universals: Vec<TermId>,
    known: FxHashMap<Z3_ast, TermId>,
    /// Keeps what is known alive, so that no other term gets its place.
    held: Vec<Ast>,
}

impl<'r> TermReader<'r> {
    /// Reads into a store; the variables bound outside are these.
    pub(crate) fn new(context: &Rc<Context>, store: &'r mut TermStore, bound: Vec<TermId>) -> Self {
        TermReader {
            context: context.clone(),
            store,
            bound,
            universals: Vec::new(),
            known: FxHashMap::default(),
            held: Vec::new(),
        }
    }

    /// A formula that may have universal quantifiers in it, and the symbols of their variables.
    pub(crate) fn formula(mut self, ast: &Ast) -> Result<(TermId, Vec<TermId>), Error> {
        let term = self.positive(ast)?;
        Ok((term, self.universals))
    }

    /// A formula where it is claimed.
    fn positive(&mut self, ast: &Ast) -> Result<TermId, Error> {
        if !has_quantifier(&self.context, ast)? {
            return self.term(ast);
        }
        if let Some((sorts, body)) = forall(&self.context, ast)? {
            let known = std::mem::take(&mut self.known);
            let outside = self.bound.len();
            for sort in sorts {
                let fresh = self.store.fresh("any", sort);
                self.bound.push(fresh);
                self.universals.push(fresh);
            }
            let term = self.positive(&body)?;
            self.bound.truncate(outside);
            self.known = known;
            return Ok(term);
        }
        let (kind, parts) = parts(&self.context, ast)?;
        let parts = parts.iter().map(|part| self.positive(part));
        match kind {
            DeclKind::And => {
                let parts = parts.collect::<Result<Vec<_>, _>>()?;
                Ok(self.store.and(&parts))
            }
            DeclKind::Or => {
                let parts = parts.collect::<Result<Vec<_>, _>>()?;
                Ok(self.store.or(&parts))
            }
            _ => Err("a quantifier in an unusual place".into()),
        }
    }

    /// A term without quantifiers. Does not recurse, as terms can be deep.
    pub(crate) fn term(&mut self, ast: &Ast) -> Result<TermId, Error> {
        let mut open = vec![ast.clone()];
        while let Some(next) = open.last().cloned() {
            if self.known.contains_key(&next.raw()) {
                open.pop();
                continue;
            }
            let made = match self.leaf(&next)? {
                Some(term) => term,
                None => {
                    let (kind, parts) = parts(&self.context, &next)?;
                    if kind == DeclKind::ConstArray {
                        sort_of(&self.context, &next)?;
                    }
                    let waiting = open.len();
                    let unknown = parts
                        .iter()
                        .filter(|part| !self.known.contains_key(&part.raw()));
                    open.extend(unknown.cloned());
                    if open.len() > waiting {
                        continue;
                    }
                    let parts: Vec<TermId> =
                        parts.iter().map(|part| self.known[&part.raw()]).collect();
                    self.made(kind, &parts)?
                }
            };
            open.pop();
            self.known.insert(next.raw(), made);
            self.held.push(next);
        }
        Ok(self.known[&ast.raw()])
    }

    /// A number or a bound variable.
    fn leaf(&mut self, ast: &Ast) -> Result<Option<TermId>, Error> {
        let raw = self.context.raw();
        // SAFETY: the term is held.
        let (kind, index) = unsafe {
            let kind = Z3_get_ast_kind(raw, ast.raw());
            match kind {
                AstKind::Var => (kind, Z3_get_index_value(raw, ast.raw()) as usize),
                _ => (kind, 0),
            }
        };
        match kind {
            AstKind::Numeral => Ok(Some(match number(&self.context, ast)? {
                TermValue::Int(value) => self.store.int(value),
                TermValue::Real(value) => self.store.real(value),
                TermValue::Bool(_) | TermValue::Array(_) => return Err("no number".into()),
            })),
            AstKind::Var => {
                let place = self.bound.len().checked_sub(index + 1);
                Ok(Some(
                    self.bound[place.ok_or("a variable that is not bound")?],
                ))
            }
            AstKind::App => Ok(None),
            _ => Err("a term of an unusual kind".into()),
        }
    }

    fn made(&mut self, kind: DeclKind, parts: &[TermId]) -> Result<TermId, Error> {
        use DeclKind::*;
        let store = &mut *self.store;
        Ok(match (kind, parts) {
            (True, []) => store.bool(true),
            (False, []) => store.bool(false),
            (And, _) => store.and(parts),
            (Or, _) => store.or(parts),
            (Not, [a]) => store.not(*a),
            (Implies, [a, b]) => store.implies(*a, *b),
            (Eq | Iff, [a, b]) => store.eq(*a, *b),
            (Xor, [a, b]) => store.ne(*a, *b),
            (Distinct, _) => {
                let mut different = Vec::new();
                for (at, &a) in parts.iter().enumerate() {
                    for &b in &parts[at + 1..] {
                        different.push(store.ne(a, b));
                    }
                }
                store.and(&different)
            }
            (Ite, [condition, then, otherwise]) => store.ite(*condition, *then, *otherwise),
            (Le, [a, b]) => store.le(*a, *b),
            (Ge, [a, b]) => store.le(*b, *a),
            (Lt, [a, b]) => store.lt(*a, *b),
            (Gt, [a, b]) => store.lt(*b, *a),
            (Add, _) => store.sum(parts, false),
            (Sub, _) => store.sum(parts, true),
            (Uminus, [a]) => store.neg(*a),
            (Mul, [a, b]) => product(store, *a, *b)?,
            (Idiv | Mod, [a, b]) => {
                let divisor = store.as_int(*b).cloned();
                let divisor = divisor.filter(|divisor| !divisor.is_zero());
                let divisor = divisor.ok_or("a divisor that is no constant")?;
                let size = divisor.abs();
                match kind {
                    Mod => store.modulo(*a, &size),
                    _ => {
                        let quotient = store.div(*a, &size);
                        match divisor.signum() < 0 {
                            true => store.neg(quotient),
                            false => quotient,
                        }
                    }
                }
            }
            (ToReal, [a]) => store.to_real(*a),
            (Select, [array, index]) if store.sort(*array) == Sort::Array => {
                store.select(*array, *index)
            }
            (Store, [array, index, element]) if store.sort(*array) == Sort::Array => {
                store.store(*array, *index, *element)
            }
            (ConstArray, [element]) if store.sort(*element) == Sort::Int => {
                store.constant_array(*element)
            }
            _ => return Err(format!("a term of an unusual kind: {kind:?}")),
        })
    }
}

fn product(store: &mut TermStore, a: TermId, b: TermId) -> Result<TermId, Error> {
    for (factor, term) in [(a, b), (b, a)] {
        if let Some(factor) = store.as_int(factor).cloned() {
            return Ok(store.scale(&factor, term));
        }
        if let Some(factor) = store.as_real(factor).cloned() {
            return Ok(store.real_scale(&factor, term));
        }
    }
    Err("a product that is not linear".into())
}

/// What an application applies, and its arguments.
pub(super) fn parts(context: &Rc<Context>, ast: &Ast) -> Result<(DeclKind, Vec<Ast>), Error> {
    let raw = context.raw();
    // SAFETY: the term is held, and its parts with it.
    unsafe {
        if Z3_get_ast_kind(raw, ast.raw()) != AstKind::App {
            return Err("a term that is no application".into());
        }
        let app = context.made(Z3_to_app(raw, ast.raw()))?;
        let decl = context.made(Z3_get_app_decl(raw, app))?;
        let count = Z3_get_app_num_args(raw, app);
        let parts = (0..count).map(|at| Counted::new(context, Z3_get_app_arg(raw, app, at)));
        Ok((
            Z3_get_decl_kind(raw, decl),
            parts.collect::<Result<_, _>>()?,
        ))
    }
}

/// The sorts of the variables and the body, if the term is a universal quantifier.
pub(super) fn forall(context: &Rc<Context>, ast: &Ast) -> Result<Option<(Vec<Sort>, Ast)>, Error> {
    let raw = context.raw();
    // SAFETY: the term is held.
    unsafe {
        if Z3_get_ast_kind(raw, ast.raw()) != AstKind::Quantifier
            || !Z3_is_quantifier_forall(raw, ast.raw())
        {
            return Ok(None);
        }
        let count = Z3_get_quantifier_num_bound(raw, ast.raw());
        let sorts = (0..count)
            .map(|at| sort(context, Z3_get_quantifier_bound_sort(raw, ast.raw(), at)))
            .collect::<Result<_, _>>()?;
        let body = Counted::new(context, Z3_get_quantifier_body(raw, ast.raw()))?;
        Ok(Some((sorts, body)))
    }
}

/// Whether there is a quantifier in a term.
fn has_quantifier(context: &Rc<Context>, ast: &Ast) -> Result<bool, Error> {
    let mut seen: FxHashMap<Z3_ast, Ast> = FxHashMap::default();
    let mut open = vec![ast.clone()];
    while let Some(next) = open.pop() {
        // SAFETY: the term is held.
        let kind = unsafe { Z3_get_ast_kind(context.raw(), next.raw()) };
        match kind {
            AstKind::Quantifier => return Ok(true),
            AstKind::App if !seen.contains_key(&next.raw()) => {
                open.extend(parts(context, &next)?.1);
                seen.insert(next.raw(), next);
            }
            _ => {}
        }
    }
    Ok(false)
}
