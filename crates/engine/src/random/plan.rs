//! Where one run's inputs come from.

use super::values::{Extreme, Pool};
use base::Rng;
use exec::inputs::byte;
use exec::{Contents, Inputs};
use logic::IntType;
use program::expr::{Constant, Type};
use program::ir::SiteId;
use std::collections::BTreeMap;

/// Bytes of the largest object that comes to life with other bytes than zero.
const MOST_CONTENTS: u64 = 64;

/// Inputs taken, each with its site.
pub type Taken = Vec<(SiteId, Constant)>;

/// The habit of a run in choosing fresh values.
#[derive(Clone, Debug)]
enum Mood {
    /// Every input is one of the extremes.
    Extreme(Extreme),
    /// Every input is picked anew.
    Free,
    /// A site mostly repeats its last value.
    Sticky,
    /// Integers below this bound.
    Small(usize),
    /// Mostly one of a few values, each converted to the type asked for.
    Favourites(Vec<Constant>),
    /// Every site has a habit of its own and keeps it, so that a loop continues that some value
    /// ends.
    Habits(BTreeMap<SiteId, Habit>),
}

/// What one site gives throughout a run.
#[derive(Clone, Debug)]
enum Habit {
    /// One of a few values and no others.
    Only(Vec<Constant>),
    /// Any value of the type, each as likely as the others.
    Uniform,
}

impl Habit {
    fn draw(pool: &Pool, rng: &mut Rng, ty: Type) -> Self {
        if rng.one_in(3) {
            return Habit::Uniform;
        }
        let count = 1 + rng.below(3);
        Habit::Only((0..count).map(|_| pool.pick(rng, ty)).collect())
    }

    fn value(&self, pool: &Pool, rng: &mut Rng, ty: Type) -> Constant {
        match self {
            Habit::Only(values) => values[rng.below(values.len())],
            Habit::Uniform => pool.uniform(rng, ty),
        }
    }
}

/// The inputs of one run: those of a script, site by site, then fresh ones.
pub struct Plan<'a> {
    pool: &'a Pool,
    rng: Rng,
    mood: Mood,
    script: &'a [(SiteId, Constant)],
    next: usize,
    last: BTreeMap<SiteId, Constant>,
}

impl<'a> Plan<'a> {
    /// The same extreme for every input.
    pub fn extreme(pool: &'a Pool, extreme: Extreme) -> Self {
        Plan::new(pool, Rng::new(0), Mood::Extreme(extreme), &[])
    }

    /// Fresh values throughout.
    pub fn fresh(pool: &'a Pool, rng: Rng) -> Self {
        Plan::scripted(pool, rng, &[])
    }

    /// The script first, as long as the run asks for its sites in its order.
    pub fn scripted(pool: &'a Pool, mut rng: Rng, script: &'a [(SiteId, Constant)]) -> Self {
        let mood = match rng.below(7) {
            0 | 1 => Mood::Free,
            2 => Mood::Sticky,
            3 => Mood::Small(2 + rng.below(5)),
            4 => {
                let ty = Type::Int(logic::IntType::I64);
                let count = 1 + rng.below(3);
                Mood::Favourites((0..count).map(|_| pool.pick(&mut rng, ty)).collect())
            }
            5 => Mood::Habits(BTreeMap::new()),
            _ => Mood::Extreme(Extreme::ALL[rng.below(Extreme::ALL.len())]),
        };
        Plan::new(pool, rng, mood, script)
    }

    /// Only the script, then zeros: a run that is to be repeated.
    pub fn exact(pool: &'a Pool, script: &'a [(SiteId, Constant)]) -> Self {
        Plan::new(pool, Rng::new(0), Mood::Extreme(Extreme::Zero), script)
    }

    fn new(pool: &'a Pool, rng: Rng, mood: Mood, script: &'a [(SiteId, Constant)]) -> Self {
        Plan {
            pool,
            rng,
            mood,
            script,
            next: 0,
            last: BTreeMap::new(),
        }
    }

    fn fresh_value(&mut self, site: SiteId, ty: Type) -> Constant {
        match &mut self.mood {
            Mood::Extreme(extreme) => extreme.of(ty),
            Mood::Free => self.pool.pick(&mut self.rng, ty),
            Mood::Sticky => {
                if !self.rng.one_in(8)
                    && let Some(&value) = self.last.get(&site)
                {
                    return value;
                }
                let value = self.pool.pick(&mut self.rng, ty);
                self.last.insert(site, value);
                value
            }
            Mood::Small(bound) => match ty {
                Type::Int(ty) => {
                    let value = self.rng.below(*bound) as i128;
                    Constant::Int(logic::IntValue::wrap(ty, value))
                }
                Type::Bool | Type::Float(_) | Type::Ptr => self.pool.pick(&mut self.rng, ty),
            },
            Mood::Favourites(values) => match (ty, values[self.rng.below(values.len())]) {
                (Type::Int(ty), Constant::Int(value)) if !self.rng.one_in(8) => {
                    Constant::Int(value.convert(ty))
                }
                _ => self.pool.pick(&mut self.rng, ty),
            },
            Mood::Habits(habits) => {
                let (pool, rng) = (self.pool, &mut self.rng);
                let habit = habits.entry(site);
                let habit = habit.or_insert_with(|| Habit::draw(pool, rng, ty));
                habit.value(pool, rng, ty)
            }
        }
    }
}

impl Inputs for Plan<'_> {
    fn next(&mut self, site: SiteId, ty: Type) -> Option<Constant> {
        if let Some(&(scripted, value)) = self.script.get(self.next) {
            if scripted == site && certify::replay::has_type(value, ty) {
                self.next += 1;
                return Some(value);
            }
            // The run has left the script's path; what follows was meant for other sites.
            self.next = self.script.len();
        }
        Some(self.fresh_value(site, ty))
    }

    fn contents(&mut self) -> Option<&mut dyn Contents> {
        Some(self)
    }
}

impl Contents for Plan<'_> {
    /// A script's bytes, and else few: a large object is zero in most programs that fail.
    fn bytes(&mut self, site: SiteId, size: u64) -> Vec<u8> {
        let scripted = self.script[self.next..].iter();
        let scripted = scripted.take_while(|(other, _)| *other == site);
        let bytes: Vec<u8> = scripted
            .take(usize::try_from(size).unwrap_or(usize::MAX))
            .map(|&(_, value)| byte(value))
            .collect();
        self.next += bytes.len();
        let is_zero = matches!(self.mood, Mood::Extreme(Extreme::Zero));
        if !bytes.is_empty() || is_zero || size > MOST_CONTENTS {
            return bytes;
        }
        let ty = Type::Int(IntType::unsigned(8));
        (0..size)
            .map(|_| byte(self.fresh_value(site, ty)))
            .collect()
    }
}

/// What a run starts with: a variation of one of some scripts, or nothing.
pub fn vary(pool: &Pool, rng: &mut Rng, scripts: &[Taken]) -> Taken {
    if scripts.is_empty() || rng.one_in(3) {
        return Taken::new();
    }
    let base = rng.below(scripts.len());
    mutate(pool, rng, &scripts[base])
}

/// A variation of a script: some values changed, perhaps the end cut off.
pub fn mutate(pool: &Pool, rng: &mut Rng, script: &Taken) -> Taken {
    let mut mutant = script.clone();
    if mutant.is_empty() {
        return mutant;
    }
    if rng.one_in(3) {
        mutant.truncate(1 + rng.below(mutant.len()));
    }
    if rng.one_in(8) {
        // Repeat a segment: loops that take inputs often need more of the same.
        let from = rng.below(mutant.len());
        let stretch: Taken = mutant[from..].iter().take(32).copied().collect();
        mutant.splice(from..from, stretch);
    }
    for _ in 0..rng.below(4) {
        let at = rng.below(mutant.len());
        let value = &mut mutant[at].1;
        *value = pool.near(rng, *value);
    }
    mutant
}
