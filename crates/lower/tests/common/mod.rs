//! Lowers small C programs, for tests.

#![allow(dead_code, reason = "no test uses all of it")]

use base::{Diagnostics, SourceMap};
use cfront::types::DataModel;
use lower::{Options, lower};
use program::ir::*;
use program::text::{Spans, print};
use program::validate::validate;

/// A lowered program, with its source.
pub(crate) struct Lowered {
    pub(crate) program: Program,
    pub(crate) map: SourceMap,
}

pub(crate) fn try_lower(text: &str, options: &Options) -> Result<Lowered, String> {
    let mut map = SourceMap::new();
    let file = map.add("t.c", text.as_bytes().to_vec()).unwrap();
    let mut diagnostics = Diagnostics::new();
    let front = cfront::Options {
        model: DataModel::Lp64,
    };
    let ast = cfront::parse(&mut map, &[file], &front, &mut diagnostics);
    let first = |diagnostics: &Diagnostics| {
        let first = diagnostics.iter().next().unwrap();
        let help = first.help.clone().unwrap_or_default();
        format!("{} / {help}", first.message)
    };
    if diagnostics.has_errors() {
        return Err(first(&diagnostics));
    }
    let Some(program) = lower(&ast, options, &mut diagnostics) else {
        return Err(first(&diagnostics));
    };
    let problems = validate(&program);
    assert!(problems.is_empty(), "{}", problems[0]);
    Ok(Lowered { program, map })
}

pub(crate) fn lower_with(text: &str, options: &Options) -> Lowered {
    match try_lower(text, options) {
        Ok(lowered) => lowered,
        Err(message) => panic!("{message}"),
    }
}

pub(crate) fn lower_main(text: &str) -> Lowered {
    lower_with(text, &Options::default())
}

impl Lowered {
    pub(crate) fn proc(&self, name: &str) -> &Procedure {
        let mut procs = self.program.procs.iter();
        procs.find(|proc| *proc.name == *name).unwrap()
    }

    pub(crate) fn ops(&self, name: &str) -> Vec<&Op> {
        self.proc(name).edges.iter().map(|edge| &edge.op).collect()
    }

    pub(crate) fn is_var(&self, name: &str) -> bool {
        self.program.vars.iter().any(|var| *var.name == *name)
    }

    pub(crate) fn is_object(&self, name: &str) -> bool {
        self.program.objects.iter().any(|row| *row.name == *name)
    }

    /// Line and message of every error location.
    pub(crate) fn errors(&self) -> Vec<(u32, String)> {
        let errors = self.program.error_locations();
        let row = |violation: &Violation| {
            let line = self.map.physical(violation.span).unwrap().line;
            (line, violation.message.clone())
        };
        errors.map(|(_, _, violation)| row(violation)).collect()
    }

    pub(crate) fn text(&self) -> String {
        print(&self.program, Spans::Omit)
    }
}
