//! Name lookup.
//!
//! # Invariants
//! - `heads[s]` is the innermost live entry of symbol `s`; each entry knows the one it hides, so
//!   leaving a scope restores the table in time linear in what the scope declared.

use crate::ast::{FunctionId, GlobalId, LocalId};
use crate::token::Symbol;
use crate::types::{EnumId, QualType, RecordId, TypeId};
use base::{Id, Span};
use logic::IntValue;

/// What an ordinary identifier stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entity {
    /// A type name, with the alignment that its declaration asked for.
    Typedef(QualType, Option<u64>),
    /// An enumeration constant and its type.
    Enumerator(IntValue, TypeId),
    /// An object with static storage, with its type as seen here.
    Global(GlobalId, QualType),
    /// A function, with its type as seen here.
    Function(FunctionId, TypeId),
    /// A local or parameter.
    Local(LocalId, QualType),
    /// Something whose declaration was wrong: uses of it are not reported again.
    Broken,
}

/// What a tag stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tag {
    /// `struct` or `union`.
    Record(RecordId),
    /// `enum`.
    Enum(EnumId),
}

/// One declaration of a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<E> {
    /// The name.
    pub(super) name: Symbol,
    /// What it means.
    pub(super) entity: E,
    /// Where it was declared.
    pub(super) span: Span,
    /// How deep: 0 is the file.
    pub(super) level: u32,
    hides: u32,
}

/// One name space.
#[derive(Debug)]
pub(super) struct Names<E> {
    /// One more than the position in `stack`; 0 for names that are not declared.
    heads: Vec<u32>,
    stack: Vec<Entry<E>>,
    marks: Vec<usize>,
}

impl<E: Copy> Names<E> {
    /// The file scope, empty.
    pub(super) fn new() -> Self {
        Names {
            heads: Vec::new(),
            stack: Vec::new(),
            marks: Vec::new(),
        }
    }

    /// How deep we are: 0 is the file.
    pub(super) fn level(&self) -> u32 {
        self.marks.len() as u32
    }

    /// Opens a scope.
    pub(super) fn enter(&mut self) {
        self.marks.push(self.stack.len());
    }

    /// Closes the innermost scope and returns what it declared.
    pub(super) fn leave(&mut self) -> Vec<Entry<E>> {
        let mark = self
            .marks
            .pop()
            .expect("a scope that is left should be open");
        for entry in self.stack[mark..].iter().rev() {
            self.heads[entry.name.index()] = entry.hides;
        }
        self.stack.split_off(mark)
    }

    /// Declares a name in the innermost scope.
    pub(super) fn insert(&mut self, name: Symbol, entity: E, span: Span) {
        let index = name.index();
        if index >= self.heads.len() {
            self.heads.resize(index + 1, 0);
        }
        self.stack.push(Entry {
            name,
            entity,
            span,
            level: self.level(),
            hides: self.heads[index],
        });
        self.heads[index] = self.stack.len() as u32;
    }

    /// The innermost declaration of a name.
    pub(super) fn get(&self, name: Symbol) -> Option<&Entry<E>> {
        let head = *self.heads.get(name.index())?;
        self.stack.get((head as usize).wrapping_sub(1))
    }

    /// The innermost declaration of a name, to change.
    pub(super) fn get_mut(&mut self, name: Symbol) -> Option<&mut Entry<E>> {
        let head = *self.heads.get(name.index())?;
        self.stack.get_mut((head as usize).wrapping_sub(1))
    }

    /// The declaration of a name in the innermost scope itself.
    pub(super) fn get_here(&self, name: Symbol) -> Option<&Entry<E>> {
        let level = self.level();
        self.get(name).filter(|entry| entry.level == level)
    }

    /// The declarations inside the file's scope that no other hides.
    pub(super) fn inner(&self) -> impl Iterator<Item = &Entry<E>> {
        let first = self.marks.first().copied().unwrap_or(self.stack.len());
        let numbered = self.stack.iter().enumerate().skip(first);
        numbered
            .filter(|(index, entry)| self.heads[entry.name.index()] as usize == index + 1)
            .map(|(_, entry)| entry)
    }

    /// All live declarations, innermost last.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Entry<E>> {
        self.stack.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_names_hide_and_give_way() {
        let name = Symbol::from_index;
        let mut names = Names::new();
        names.insert(name(3), 'a', Span::NONE);
        names.enter();
        names.insert(name(3), 'b', Span::NONE);
        names.insert(name(7), 'c', Span::NONE);
        names.insert(name(3), 'd', Span::NONE);
        assert_eq!(names.get(name(3)).map(|entry| entry.entity), Some('d'));
        assert!(names.get_here(name(7)).is_some());
        let declared: Vec<char> = names.leave().iter().map(|entry| entry.entity).collect();
        assert_eq!(declared, ['b', 'c', 'd']);
        assert_eq!(names.get(name(3)).map(|entry| entry.entity), Some('a'));
        assert!(names.get(name(7)).is_none());
        assert!(names.get(name(100)).is_none());
    }
}
