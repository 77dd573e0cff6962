//! The double description method: generators of a cone, one constraint after the other.
//!
//! A cone is the set of vectors that are orthogonal to some vectors and have a non-negative product
//! with others. Its generators are lines and rays. The generators of the dual cone are the
//! constraints again, so one procedure works in both directions.
//!
//! # Paper
//! [motzkin1953double], with the combinatorial adjacency test.
//!
//! # Invariants
//! - A ray's `tight` has the inequalities so far that are zero at it; lines are zero at all.
//! - No ray is redundant: two rays are adjacent if no third is tight wherever both are.

use crate::vector::{Echelon, Vector, combine, dot, negated, normalise, unit};
use base::{BitSet, Budget};

/// How much work an operation may take before it settles for something weaker.
#[derive(Clone, Default)]
pub(crate) struct Effort {
    /// Time.
    pub(crate) budget: Budget,
    /// How many generators there may be at a time; none is no limit.
    pub(crate) generators: Option<usize>,
}

impl Effort {
    /// So much time and so many generators.
    pub(crate) fn new(budget: &Budget, generators: usize) -> Effort {
        Effort {
            budget: budget.clone(),
            generators: Some(generators),
        }
    }

    fn allows(&self, generators: usize) -> bool {
        self.generators.is_none_or(|most| generators <= most)
    }
}

/// Vectors that constrain a cone, or that generate one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct System {
    /// Orthogonal to the cone, or lines of it.
    pub(crate) lines: Vec<Vector>,
    /// At a sharp or right angle, or rays.
    pub(crate) rays: Vec<Vector>,
}

impl System {
    /// The same system in the one form that all equal systems without redundant rays have.
    pub(crate) fn normal(&self) -> System {
        let lines = Echelon::of(&self.lines);
        let mut rays: Vec<Vector> = self.rays.iter().map(|ray| lines.reduce(ray)).collect();
        rays.sort();
        rays.dedup();
        System {
            lines: lines.into_vectors(),
            rays,
        }
    }

    /// What generates the cone that this constrains, or constrains the cone that this generates;
    /// none if it takes too long.
    pub(crate) fn dual(&self, size: usize, effort: &Effort) -> Option<System> {
        let mut cone = Cone::whole(size);
        cone.add_all(self, effort)?;
        Some(cone.into_system())
    }
}

/// Which of the inequalities, by number.
pub(crate) type Bits = BitSet<usize>;

struct Ray {
    vector: Vector,
    tight: Bits,
}

/// A cone in the making.
pub(crate) struct Cone {
    size: usize,
    lines: Vec<Vector>,
    rays: Vec<Ray>,
    equalities: usize,
    inequalities: usize,
}

impl Cone {
    pub(crate) fn whole(size: usize) -> Cone {
        Cone {
            size,
            lines: (0..size).map(|place| unit(size, place)).collect(),
            rays: Vec::new(),
            equalities: 0,
            inequalities: 0,
        }
    }

    /// The cone of a system of constraints, of which another one has the generators.
    pub(crate) fn of(size: usize, constraints: &System, generators: &System) -> Cone {
        let ray = |vector: &Vector| Ray {
            vector: vector.clone(),
            tight: tight(vector, &constraints.rays),
        };
        Cone {
            size,
            lines: generators.lines.clone(),
            rays: generators.rays.iter().map(ray).collect(),
            equalities: constraints.lines.len(),
            inequalities: constraints.rays.len(),
        }
    }

    pub(crate) fn into_system(self) -> System {
        System {
            lines: self.lines,
            rays: self.rays.into_iter().map(|ray| ray.vector).collect(),
        }
    }

    /// Adds constraints; none if that takes too long, and then the cone is of no use.
    pub(crate) fn add_all(&mut self, constraints: &System, effort: &Effort) -> Option<()> {
        for line in &constraints.lines {
            self.add(line, true, effort)?;
        }
        for ray in &constraints.rays {
            self.add(ray, false, effort)?;
        }
        Some(())
    }

    /// Adds one constraint.
    fn add(&mut self, constraint: &Vector, is_equality: bool, effort: &Effort) -> Option<()> {
        let across = |line: &Vector| !dot(line, constraint).is_zero();
        match self.lines.iter().position(across) {
            Some(place) => self.bend(place, constraint, is_equality),
            None => self.cut(constraint, is_equality, effort)?,
        }
        self.inequalities += usize::from(!is_equality);
        effort.allows(self.rays.len()).then_some(())
    }

    /// One line is not tight: it becomes a ray, and takes the others to where they are tight.
    fn bend(&mut self, place: usize, constraint: &Vector, is_equality: bool) {
        let mut line = self.lines.remove(place);
        let mut value = dot(&line, constraint);
        if value.signum() < 0 {
            (line, value) = (negated(&line), -&value);
        }
        let rays = self.rays.iter_mut().map(|ray| &mut ray.vector);
        for other in self.lines.iter_mut().chain(rays) {
            let at = dot(other, constraint);
            if !at.is_zero() {
                *other = combine(&value, other, &-&at, &line);
            }
        }
        if is_equality {
            self.equalities += 1;
            return;
        }
        for ray in &mut self.rays {
            ray.tight.insert(self.inequalities);
        }
        let tight = Bits::from_iter(0..self.inequalities);
        normalise(&mut line);
        self.rays.push(Ray {
            vector: line,
            tight,
        });
    }

    /// All lines are tight: rays on the wrong side go, and their neighbours on the right side get
    /// rays between them that are tight.
    fn cut(&mut self, constraint: &Vector, is_equality: bool, effort: &Effort) -> Option<()> {
        let values: Vec<_> = (self.rays.iter())
            .map(|ray| dot(&ray.vector, constraint))
            .collect();
        let side = |sign: i32| {
            let places = values.iter().enumerate();
            let on_side = places.filter(move |(_, value)| value.signum() == sign);
            on_side.map(|(place, _)| place)
        };
        let mut between = Vec::new();
        // The number of inequalities that are tight at both of two neighbours.
        let least = (self.size).saturating_sub(self.equalities + self.lines.len() + 2);
        for above in side(1) {
            effort.budget.spend(1);
            effort.budget.check().ok()?;
            for below in side(-1) {
                let (high, low) = (&self.rays[above], &self.rays[below]);
                let mut both = high.tight.clone();
                both.intersect(&low.tight);
                if both.len() < least || !self.are_neighbours(above, below, &both) {
                    continue;
                }
                let vector = combine(&-&values[below], &high.vector, &values[above], &low.vector);
                let mut tight = both;
                if !is_equality {
                    tight.insert(self.inequalities);
                }
                between.push(Ray { vector, tight });
                if !effort.allows(between.len()) {
                    return None;
                }
            }
        }
        let changes = values.iter().any(|value| !value.is_zero());
        self.equalities += usize::from(is_equality && changes);
        let mut values = values.iter();
        self.rays.retain_mut(|ray| {
            let sign = values.next().map_or(0, logic::Integer::signum);
            if sign == 0 && !is_equality {
                ray.tight.insert(self.inequalities);
            }
            sign == 0 || (sign > 0 && !is_equality)
        });
        self.rays.extend(between);
        Some(())
    }

    fn are_neighbours(&self, a: usize, b: usize, both: &Bits) -> bool {
        let mut others = self.rays.iter().enumerate();
        !others.any(|(place, ray)| place != a && place != b && both.is_subset(&ray.tight))
    }
}

/// Which inequalities are tight at a vector.
pub(crate) fn tight(vector: &Vector, inequalities: &[Vector]) -> Bits {
    let inequalities = inequalities.iter().enumerate();
    let tight = inequalities.filter(|(_, inequality)| dot(vector, inequality).is_zero());
    tight.map(|(place, _)| place).collect()
}
