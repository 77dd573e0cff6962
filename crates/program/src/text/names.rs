//! Short names for variables, objects and procedures, unique within their scope.
//!
//! # Invariants
//! - The names of one procedure's locals and of all globals are pairwise different, and none is a
//!   keyword of the text form.

use crate::ir::*;
use base::{Id, IdVec};
use rustc_hash::FxHashMap;

/// The names of a program.
#[derive(Clone, Debug)]
pub struct Names {
    /// Of its variables.
    pub vars: IdVec<VarId, String>,
    /// Of its objects.
    pub objects: IdVec<ObjectId, String>,
    /// Of its procedures.
    pub procs: IdVec<ProcId, String>,
}

/// Words that mean something in the text form.
const WORDS: &str = "program ptr entry exit spans assumption global local object align readonly contents site nondet \
    external uninitialized argument inline in proc error skip assume havoc call library return \
    abort enter leave unsupported via true false null overflows valid writable freeable popcount \
    bool unreachable clz ctz bswap f32 f64";

impl Names {
    /// The names of a program's variables, objects and procedures.
    pub fn new(program: &Program) -> Self {
        let mut counts: FxHashMap<(Option<ProcId>, &str), u32> = FxHashMap::default();
        let owner = |scope: Scope| match scope {
            Scope::Global => None,
            Scope::Local(proc) => Some(proc),
        };
        let all = (program
            .vars
            .iter()
            .map(|var| (owner(var.scope), &*var.name)))
        .chain((program.objects.iter()).map(|object| (owner(object.scope), &*object.name)))
        .chain(program.procs.iter().map(|proc| (None, &*proc.name)));
        for key in all {
            *counts.entry(key).or_default() += 1;
        }
        let unique = |owner: Option<ProcId>, name: &str| {
            let count = |owner| counts.get(&(owner, name)).copied().unwrap_or(0);
            count(owner) == 1 && (owner.is_none() || count(None) == 0)
        };
        let pick = |scope: Scope, name: &str, id: String| {
            if is_plain(name) && unique(owner(scope), name) {
                name.to_string()
            } else {
                suffixed(name, &id)
            }
        };
        Names {
            vars: (program.vars.iter_enumerated())
                .map(|(id, var)| pick(var.scope, &var.name, id.to_string()))
                .collect(),
            objects: (program.objects.iter_enumerated())
                .map(|(id, object)| pick(object.scope, &object.name, id.to_string()))
                .collect(),
            procs: (program.procs.iter_enumerated())
                .map(|(id, proc)| pick(Scope::Global, &proc.name, id.to_string()))
                .collect(),
        }
    }
}

/// Whether a name can stand as it is.
fn is_plain(name: &str) -> bool {
    let mut chars = name.chars();
    chars
        .next()
        .is_some_and(|first| is_name_char(first) && !first.is_ascii_digit())
        && chars.all(is_name_char)
        && !is_word(name)
}

/// Whether a name is a word of the text form, or a type.
pub(super) fn is_word(name: &str) -> bool {
    let mut words = WORDS.split_whitespace();
    words.any(|word| word == name) || super::lex::type_named(name).is_some()
}

pub(super) fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

fn suffixed(name: &str, id: &str) -> String {
    let clean: String = (name.chars())
        .map(|c| if is_name_char(c) { c } else { '_' })
        .skip_while(char::is_ascii_digit)
        .collect();
    let stem = if clean.is_empty() { "_" } else { &clean };
    format!("{stem}.{id}")
}

/// The number of an id such as `l12` with its letter.
pub(super) fn parse_id<I: Id>(letter: char, text: &str) -> Option<I> {
    let digits = text.strip_prefix(letter)?;
    let plain = digits == "0" || !digits.starts_with('0');
    let number: u32 = digits.parse().ok()?;
    (plain && digits.bytes().all(|b| b.is_ascii_digit())).then(|| I::from_index(number as usize))
}
