//! Tasks from C.

use base::{Diagnostics, SourceMap};
use cfront::types::DataModel;
use engine::Task;

/// The task of a text, and what its spans point into.
pub(crate) fn task(text: Vec<u8>) -> (Task, SourceMap) {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text).expect("it should be short");
    let mut diagnostics = Diagnostics::new();
    let options = cfront::Options {
        model: DataModel::Lp64,
    };
    let ast = cfront::parse(&mut sources, &[file], &options, &mut diagnostics);
    let program = lower::lower(&ast, &lower::Options::default(), &mut diagnostics);
    let task = Task::new(program.expect("the program should be right"));
    (task, sources)
}
