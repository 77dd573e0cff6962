//! Conditions that, once true, stay true: if one holds before the turns it holds after them.

use super::{Body, Frame, Level, Operator};
use crate::kit::Kit;
use logic::{Node, TermId};

/// Conditions that a turn does not make false.
pub struct Persistent;

impl Operator for Persistent {
    fn name(&self) -> &'static str {
        "persistent"
    }

    fn level(&self) -> Level {
        Level::Equalities
    }

    fn facts(&self, kit: &mut Kit, body: &Body, frame: &Frame) -> Vec<TermId> {
        let map = frame.states(kit);
        let mut facts = Vec::new();
        for condition in candidates(kit, body) {
            if persists(kit, body, condition) {
                let after = kit.store.substitute(condition, &map);
                facts.push(kit.store.implies(condition, after));
            }
        }
        facts
    }
}

/// Whether a condition that holds before a turn holds after it.
pub(super) fn persists(kit: &mut Kit, body: &Body, condition: TermId) -> bool {
    let after = kit.after(&body.turn, condition);
    let premise = kit.store.and(&[body.turn.guard, condition]);
    kit.entails(premise, after)
}

/// The conditions worth a question: those of the turn and the hints, with their negations and the
/// halves of equalities, as far as the turn may change them.
pub(super) fn candidates(kit: &mut Kit, body: &Body) -> Vec<TermId> {
    let mut atoms = kit.store.atoms(body.turn.guard);
    atoms.extend(&body.hints);
    let written: Vec<_> = body.turn.map.keys().copied().collect();
    let mut all = Vec::new();
    for atom in atoms {
        let symbols = kit.store.symbols_of(&[atom]);
        let is_touched = written
            .iter()
            .any(|&var| symbols.contains(&kit.state.symbol(var)));
        if !is_touched || !kit.is_of_state(atom) {
            continue;
        }
        all.push(atom);
        all.push(kit.store.not(atom));
        if let Node::IsZero(sum) = *kit.store.node(atom) {
            let zero = kit.store.int(0i64);
            all.push(kit.store.le(sum, zero));
            all.push(kit.store.le(zero, sum));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}
