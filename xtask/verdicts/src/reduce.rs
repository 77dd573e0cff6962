//! Makes a program smaller as long as it still shows what is wrong.

use crate::syntax::{Program, Stmt};

/// Attempts at most: each compiles the program and asks `cairn`.
const ATTEMPTS: usize = 120;

/// Drops statements, or puts the body of a branch or loop in its place, while `still` says so.
pub(crate) fn reduced(program: &Program, mut still: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    let mut attempts = 0;
    let mut at = 0;
    while attempts < ATTEMPTS {
        if at >= count(&best) {
            break;
        }
        let smaller = [without(&best, at), unwrapped(&best, at)];
        let mut found = None;
        for candidate in smaller.into_iter().flatten() {
            attempts += 1;
            if still(&candidate) {
                found = Some(candidate);
                break;
            }
        }
        match found {
            // What stands at this place now is another statement.
            Some(smaller) => best = smaller,
            None => at += 1,
        }
    }
    for index in (0..best.functions.len()).rev() {
        let mut smaller = best.clone();
        smaller.functions.remove(index);
        if still(&smaller) {
            best = smaller;
        }
    }
    best
}

/// How many statements there are.
fn count(program: &Program) -> usize {
    let mut left = usize::MAX;
    let mut copy = program.clone();
    for function in &mut copy.functions {
        edit_in(&mut function.body, &mut left, &|_| Vec::new());
    }
    edit_in(&mut copy.main, &mut left, &|_| Vec::new());
    usize::MAX - left
}

/// The program without one of its statements, in the order they are written.
fn without(program: &Program, at: usize) -> Option<Program> {
    edited(program, at, |_| Vec::new())
}

/// The program with the body of one of its statements in its place.
fn unwrapped(program: &Program, at: usize) -> Option<Program> {
    edited(program, at, |stmt| match stmt {
        Stmt::If(_, then, other) => then.iter().chain(other).cloned().collect(),
        Stmt::While(_, body) | Stmt::DoWhile(body, _) | Stmt::For { body, .. } => body.clone(),
        Stmt::Switch(_, arms) => arms.iter().flat_map(|arm| arm.body.clone()).collect(),
        Stmt::Plain(_)
        | Stmt::Input { .. }
        | Stmt::Uninitialised { .. }
        | Stmt::Probe(_)
        | Stmt::Label(_) => Vec::new(),
    })
}

fn edited(program: &Program, at: usize, edit: impl Fn(&Stmt) -> Vec<Stmt>) -> Option<Program> {
    let mut smaller = program.clone();
    let mut left = at;
    let bodies = smaller
        .functions
        .iter_mut()
        .map(|function| &mut function.body);
    let mut bodies = bodies.chain([&mut smaller.main]);
    let found = bodies.any(|body| edit_in(body, &mut left, &edit));
    drop(bodies);
    // The value of a call that fell off its end is undefined, which no sanitizer sees.
    let all_return = smaller
        .functions
        .iter()
        .all(|function| match function.body.last() {
            Some(Stmt::Plain(text)) => text.text.starts_with("return "),
            Some(_) | None => false,
        });
    (found && all_return).then_some(smaller)
}

/// Edits a statement, counted from here; whether it was found.
fn edit_in(body: &mut Vec<Stmt>, left: &mut usize, edit: &impl Fn(&Stmt) -> Vec<Stmt>) -> bool {
    for index in 0..body.len() {
        if *left == 0 {
            let new = edit(&body[index]);
            body.splice(index..=index, new);
            return true;
        }
        *left -= 1;
        let found = match &mut body[index] {
            Stmt::If(_, then, other) => edit_in(then, left, edit) || edit_in(other, left, edit),
            Stmt::While(_, inner) | Stmt::DoWhile(inner, _) | Stmt::For { body: inner, .. } => {
                edit_in(inner, left, edit)
            }
            Stmt::Switch(_, arms) => arms
                .iter_mut()
                .any(|arm| edit_in(&mut arm.body, left, edit)),
            Stmt::Plain(_)
            | Stmt::Input { .. }
            | Stmt::Uninitialised { .. }
            | Stmt::Probe(_)
            | Stmt::Label(_) => false,
        };
        if found {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::draw;

    #[test]
    fn what_does_not_matter_goes() {
        let program = draw(7).program;
        let reduced = reduced(&program, |smaller| !smaller.main.is_empty());
        assert_eq!(reduced.main.len(), 1);
        assert!(reduced.functions.is_empty());
    }
}
