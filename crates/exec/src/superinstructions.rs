//! From instructions to words: sequences of instructions that often occur together become one
//! superinstruction.

mod handlers;

pub(crate) use handlers::one;

use crate::bytecode::{Code, Inst, Pc, Reg};
use crate::code_word::{Handler, Word};
use crate::control::rare;
use crate::memory::Access;
use crate::straight_line::{Kind, Mov};
use base::Id;
use handlers::{
    LastKind, chain_of, chain_then, counted_of, enter_then, one_counted, one_then, only_of,
    step_after_chain, step_after_one, two_of, two_then,
};

/// An instruction that ends a run.
#[derive(Clone, Copy)]
struct LastParts {
    kind: LastKind,
    regs: [Reg; 2],
    targets: [Pc; 2],
    /// The number of the branch, if it is counted.
    number: Option<u32>,
}

/// The kind, registers and targets of an instruction that ends a run.
fn last_parts(inst: Inst) -> Option<LastParts> {
    let (kind, regs, targets) = match inst {
        Inst::BrEq(a, b, yes, no) => (LastKind::BrEq, [a, b], [yes, no]),
        Inst::BrLtS(a, b, yes, no) => (LastKind::BrLtS, [a, b], [yes, no]),
        Inst::BrLtU(a, b, yes, no) => (LastKind::BrLtU, [a, b], [yes, no]),
        Inst::Jump(to) => (LastKind::Jump, [0; 2], [to, 0]),
        Inst::Call(to, result) => (LastKind::Call, [result, 0], [to, 0]),
        Inst::Return(value) => (LastKind::Return, [value, 0], [0; 2]),
        Inst::ReturnNothing => (LastKind::ReturnNothing, [0; 2], [0; 2]),
        Inst::Enter(_, address) => (LastKind::Enter, [address, 0], [0; 2]),
        Inst::Leave(_, address) => (LastKind::Leave, [address, 0], [0; 2]),
        _ => return None,
    };
    Some(LastParts {
        kind,
        regs,
        targets,
        number: None,
    })
}

/// Makes the words of compiled code, and moves every position in it from instructions to words.
/// Branches between edges are counted if asked for.
pub(crate) fn fuse(code: &mut Code, counted: bool) {
    let leaders = leaders(code);
    let mut word_at: Vec<Pc> = vec![0; code.insts.len() + 1];
    let mut at = 0;
    while at < code.insts.len() {
        word_at[at] = code.words.len() as Pc;
        let (word, length) = next_word(code, at, &leaders, counted);
        code.words.push(word);
        code.origins.push(at as u32);
        at += length;
    }
    let place = |pc: &mut Pc| *pc = word_at[*pc as usize];
    for (index, word) in code.words.iter_mut().enumerate() {
        place(&mut word.yes);
        place(&mut word.no);
        let next = code.origins.get(index + 1);
        let last = next.map_or(code.insts.len(), |&next| next as usize) - 1;
        match code.insts[last] {
            Inst::Enter(object, _) | Inst::Leave(object, _) => word.yes = object.index() as u32,
            inst if is_rare(inst) => word.yes = last as u32,
            _ => {
                if let Inst::Enter(object, _) = code.insts[code.origins[index] as usize] {
                    word.no = object.index() as u32;
                }
            }
        }
    }
    for proc in &mut code.procs {
        place(&mut proc.entry);
    }
    place(&mut code.start);
    place(&mut code.finish);
}

fn is_rare(inst: Inst) -> bool {
    !matches!(inst, Inst::Straight(..)) && last_parts(inst).is_none()
}

/// Instructions that something else than the one before leads to.
fn leaders(code: &Code) -> Vec<bool> {
    let mut leaders = vec![false; code.insts.len() + 1];
    let mut mark = |pc: Pc| leaders[pc as usize] = true;
    for (at, &inst) in code.insts.iter().enumerate() {
        if let Some(last) = last_parts(inst) {
            last.targets.into_iter().for_each(&mut mark);
            if last.kind != LastKind::Enter {
                mark(at as Pc + 1);
            }
        }
        if matches!(inst, Inst::CallSaved(..) | Inst::CallPointer(_)) {
            mark(at as Pc + 1);
        }
    }
    code.procs.iter().for_each(|proc| mark(proc.entry));
    mark(code.start);
    mark(code.finish);
    leaders
}

/// The word that starts at an instruction, and how many it takes.
fn next_word(code: &Code, at: usize, leaders: &[bool], counted: bool) -> (Word, usize) {
    let part = |index: usize| {
        let joined = (at + 1..=at + index).all(|pc| pc < code.insts.len() && !leaders[pc]);
        joined.then(|| code.insts[at + index])
    };
    let straight = |index: usize| match part(index)? {
        Inst::Straight(kind, regs) => Some((kind, regs)),
        _ => None,
    };
    let last = |index: usize| {
        let mut last = part(index).and_then(last_parts)?;
        let number = code.branches[at + index];
        last.number = (counted && number != 0).then_some(number);
        Some(last)
    };
    if let Some(Inst::Enter(_, address)) = part(0)
        && let Some(a) = straight(1)
        && let Some(b) = straight(2)
        && let Some(Inst::Call(to, result)) = part(3)
        && let Some(handler) = enter_then(a.0, b.0)
    {
        return (make(handler, a.1, b.1, [result, address], [to, 0]), 4);
    }
    let Some((a, a_regs)) = straight(0) else {
        let word = match last(0) {
            Some(last) => last_word(last),
            None => make(rare, NONE, NONE, [0; 2], [0; 2]),
        };
        return (word, 1);
    };
    let second = straight(1);
    if let Some(b) = second
        && let Some(counting) = straight(2)
        && let Some(last) = last(3)
        && let Some(word) = chain_with_step((a, a_regs), b, counting, last)
    {
        return (word, 4);
    }
    if let Some(counting) = second
        && let Some(last) = last(2)
        && let Some(word) = one_with_step((a, a_regs), counting, last)
    {
        return (word, 3);
    }
    if let Some(b) = second
        && let Some(last) = last(2)
        && let Some(word) = triple((a, a_regs), b, last)
    {
        return (word, 3);
    }
    if let Some(b) = second
        && let Some(word) = pair((a, a_regs), b)
    {
        return (word, 2);
    }
    if let Some(last) = last(1)
        && let Some(word) = pair_last((a, a_regs), last)
    {
        return (word, 2);
    }
    (make(a.handler(), a_regs, NONE, [0; 2], [0; 2]), 1)
}

type Parts = (Kind, [Reg; 3]);
const NONE: [Reg; 3] = [0; 3];

fn make(handler: Handler, a: [Reg; 3], b: [Reg; 3], c: [Reg; 2], targets: [Pc; 2]) -> Word {
    Word {
        handler,
        regs: [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1]],
        yes: targets[0],
        no: targets[1],
    }
}

fn last_word(last: LastParts) -> Word {
    // The straight instruction that a counted branch needs moves a register to itself.
    match last.number.and_then(|_| counted_of::<Mov>(last.kind)) {
        Some(handler) => make(handler, NONE, number(last), last.regs, last.targets),
        None => make(only_of(last.kind), NONE, NONE, last.regs, last.targets),
    }
}

/// Two straight instructions; the second on the value of the first where it can be.
fn pair((a, a_regs): Parts, (b, b_regs): Parts) -> Option<Word> {
    for (position, regs) in chained((a, a_regs), (b, b_regs)) {
        if let Some(handler) = chain_of(a, b, position) {
            return Some(make(handler, a_regs, regs, [0; 2], [0; 2]));
        }
    }
    let handler = two_of(a, b)?;
    Some(make(handler, a_regs, b_regs, [0; 2], [0; 2]))
}

/// The positions at which the second of two straight instructions can take the value of the
/// first, with its registers in the order for that. The register is written too, so it does not
/// matter if it is used twice.
fn chained((a, a_regs): Parts, (b, b_regs): Parts) -> impl Iterator<Item = (usize, [Reg; 3])> {
    let swapped = [b_regs[0], b_regs[2], b_regs[1]];
    let orders = [Some(b_regs), commutes(b).then_some(swapped)];
    let all = orders.into_iter().flatten();
    all.flat_map(|regs| (0..3).map(move |position| (position, regs)))
        .filter(move |&(position, regs)| {
            !is_store(a) && reads(b, position) && regs[position] == a_regs[0]
        })
}

/// How an iteration ends: a counter is changed and compared with a bound.
struct IterationEnd {
    counter: Reg,
    by: Reg,
    bound: Reg,
    /// Whether the bound is the first operand of the comparison.
    bound_first: bool,
}

impl IterationEnd {
    fn of((_, [target, from, by]): Parts, last: LastParts) -> Option<IterationEnd> {
        let [x, y] = last.regs;
        let bound_first = x != target;
        let bound = if bound_first { x } else { y };
        let compared = x != y && [x, y].contains(&target);
        let fits = from == target && compared && last.number.is_none();
        fits.then_some(IterationEnd {
            counter: target,
            by,
            bound,
            bound_first,
        })
    }
}

/// A straight instruction and the end of an iteration.
fn one_with_step((a, regs): Parts, counting: Parts, last: LastParts) -> Option<Word> {
    let step = IterationEnd::of(counting, last)?;
    let handler = step_after_one(a, counting.0, last.kind, step.bound_first)?;
    let bound = [step.bound, 0, 0];
    Some(make(
        handler,
        regs,
        bound,
        [step.counter, step.by],
        last.targets,
    ))
}

/// Two straight instructions, the second on the value of the first, and the end of an iteration.
fn chain_with_step(
    (a, a_regs): Parts,
    (b, b_regs): Parts,
    counting: Parts,
    last: LastParts,
) -> Option<Word> {
    let step = IterationEnd::of(counting, last)?;
    if (counting.0, last.kind) != (Kind::AddI32, LastKind::BrLtS) || step.bound_first {
        return None;
    }
    chained((a, a_regs), (b, b_regs)).find_map(|(position, mut regs)| {
        let handler = step_after_chain(a, b, position)?;
        regs[position] = step.bound;
        let counted = [step.counter, step.by];
        Some(make(handler, a_regs, regs, counted, last.targets))
    })
}

/// A straight instruction and one that ends the run.
fn pair_last((a, a_regs): Parts, last: LastParts) -> Option<Word> {
    if last.number.is_some() {
        let handler = one_counted(a, last.kind)?;
        return Some(make(handler, a_regs, number(last), last.regs, last.targets));
    }
    if let Some((position, regs)) = last_on(a, a_regs, last)
        && let Some(handler) = chain_then(a, last.kind, position)
    {
        return Some(make(handler, a_regs, NONE, regs, last.targets));
    }
    let handler = one_then(a, last.kind)?;
    Some(make(handler, a_regs, NONE, last.regs, last.targets))
}

/// Two straight instructions and one that ends the run.
fn triple((a, a_regs): Parts, (b, b_regs): Parts, last: LastParts) -> Option<Word> {
    if last.number.is_some() {
        return None;
    }
    if let Some((0, regs)) = last_on(b, b_regs, last)
        && let Some(handler) = two_then(a, b, last.kind, true)
    {
        return Some(make(handler, a_regs, b_regs, regs, last.targets));
    }
    let handler = two_then(a, b, last.kind, false)?;
    Some(make(handler, a_regs, b_regs, last.regs, last.targets))
}

/// The position at which the last instruction uses the value of the one before it, and its
/// registers in the order that fits.
fn last_on(kind: Kind, regs: [Reg; 3], last: LastParts) -> Option<(usize, [Reg; 2])> {
    let [x, y] = last.regs;
    let value = regs[0];
    if is_store(kind) {
        return None;
    }
    match last.kind {
        LastKind::BrEq if y == value => Some((0, [y, x])),
        LastKind::BrEq | LastKind::Return if x == value => Some((0, [x, y])),
        LastKind::BrLtS | LastKind::BrLtU if x == value => Some((0, [x, y])),
        LastKind::BrLtS | LastKind::BrLtU if y == value => Some((1, [x, y])),
        _ => None,
    }
}

/// The number of a counted branch as registers.
fn number(last: LastParts) -> [Reg; 3] {
    let number = last.number.unwrap_or(0);
    [number as Reg, (number >> 16) as Reg, 0]
}

fn is_store(kind: Kind) -> bool {
    matches!(kind.access(), Some((Access::Write, ..)))
}

/// Whether an instruction reads the register at a position; the others are its target or a
/// displacement.
fn reads(kind: Kind, position: usize) -> bool {
    match position {
        0 => is_store(kind),
        1 => true,
        _ => !matches!(kind.access(), Some((_, _, false))),
    }
}

/// Whether the operands of an instruction can change places.
fn commutes(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        AddI32 | AddU32 | AddI64 | AddU64 | MulI32 | MulU32 | MulI64 | MulU64 | And | Or | Xor
    )
}
