//! Statements: assignments, branches, calls, and loops of all shapes.

use super::expr::{Expr, overflow};
use super::{Array, Callable, Drawing, Param, Place, Theme, declared, plain};
use crate::syntax::{Arm, Danger, Kind, Stmt, Text};
use crate::types::Ty;

/// Loops in a program at most, and inside each other.
const LOOPS: usize = 4;
const NEST: usize = 2;
/// How deep branches stand inside each other at most.
const DEPTH: usize = 3;

impl Drawing {
    /// Some statements; some of them are several.
    pub(super) fn statements(&mut self, count: usize, depth: usize) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for _ in 0..count {
            self.statement(depth, &mut stmts);
        }
        stmts
    }

    fn statement(&mut self, depth: usize, to: &mut Vec<Stmt>) {
        let more_loops = match self.theme {
            Theme::Loops | Theme::Nested | Theme::Goto | Theme::Draws => 35,
            _ => 18,
        };
        let can_loop = self.loops < LOOPS && self.scope.loops < NEST && depth < DEPTH;
        if can_loop && self.rng.chance(more_loops) {
            self.loops += 1;
            let looped = self.looped(depth);
            to.extend(looped);
            return;
        }
        match self.rng.below(20) {
            0..=2 if depth < DEPTH => {
                let condition = self.condition(1);
                let then = self.inner(depth);
                let other = match self.rng.chance(40) {
                    true => self.inner(depth),
                    false => Vec::new(),
                };
                to.push(Stmt::If(condition, then, other));
            }
            3 | 4 if self.theme == Theme::Switch && depth < DEPTH => to.push(self.switch(depth)),
            3 if depth < DEPTH && self.rng.one_in(3) => to.push(self.switch(depth)),
            5..=7 if !self.callable.is_empty() && self.scope.in_main => {
                let callable = self.callable[self.rng.below(self.callable.len())].clone();
                let target = self.fresh("r");
                to.push(declared(callable.gives, &target, "0"));
                let call = self.call(&callable, &target);
                to.push(call);
                self.add_place(target, callable.gives);
            }
            8 | 9 if self.scope.loops > 0 => self.jump(to),
            10 | 11 if !self.scope.arrays.is_empty() => to.push(self.array_write()),
            12 if !self.scope.pointers.is_empty() => to.extend(self.pointer_move()),
            13 if self.scope.in_main && self.scope.loops > 0 && self.theme == Theme::Draws => {
                self.draw_again(to);
            }
            _ => to.push(self.assignment()),
        }
    }

    /// The body of a branch; what it declares is gone behind it.
    fn inner(&mut self, depth: usize) -> Vec<Stmt> {
        let outer = self.scope.clone();
        let count = 1 + self.rng.below(2);
        let stmts = self.statements(count, depth + 1);
        self.scope = outer;
        stmts
    }

    fn writable(&mut self) -> Option<Place> {
        let places: Vec<&Place> = (self.scope.places.iter())
            .filter(|place| place.is_writable)
            .collect();
        match places.is_empty() {
            true => None,
            false => Some(places[self.rng.below(places.len())].clone()),
        }
    }

    fn assignment(&mut self) -> Stmt {
        let Some(place) = self.writable() else {
            return plain(";".to_owned());
        };
        let target = &place.text;
        if place.ty == Ty::Bool {
            let condition = self.condition(1);
            return Stmt::Plain(Text {
                text: format!("{target} = {};", condition.text),
                danger: condition.danger.and(place.danger),
            });
        }
        match self.rng.below(10) {
            0 | 1 => {
                let step = self.rng.pick(&["++", "--"]);
                // Narrow types are promoted, and what comes back is cut off.
                let own = match place.ty.promoted() == place.ty {
                    true => overflow(place.ty),
                    false => Danger::default(),
                };
                Stmt::Plain(Text {
                    text: format!("({target}){step};"),
                    danger: place.danger.and(own),
                })
            }
            2..=4 => self.compound(&place),
            _ => {
                let value = self.expr(2);
                Stmt::Plain(Text {
                    text: format!("{target} = {};", value.text),
                    danger: value.danger.and(place.danger),
                })
            }
        }
    }

    fn compound(&mut self, place: &Place) -> Stmt {
        let operators = match self.theme {
            Theme::Bits => &["&", "|", "^", "<<", ">>", "+"][..],
            Theme::Division => &["/", "%", "+", "-", "*"][..],
            _ => &["+", "+", "-", "*", "&", "^", ">>"][..],
        };
        let operator = self.rng.pick(operators);
        let value = match operator {
            "/" | "%" => {
                let constant = 1 + self.rng.below(9);
                Expr {
                    text: constant.to_string(),
                    ty: Ty::Int,
                    danger: Danger::default(),
                }
            }
            "<<" | ">>" => self.small(2),
            _ => self.expr(1),
        };
        let own = match operator {
            "+" | "-" | "*" => overflow(place.ty.common(value.ty)),
            "<<" => overflow(place.ty.promoted()),
            _ => Danger::default(),
        };
        Stmt::Plain(Text {
            text: format!("{} {operator}= {};", place.text, value.text),
            danger: value.danger.and(place.danger).and(own),
        })
    }

    /// A call in a statement of its own: its arguments are simple.
    pub(super) fn call(&mut self, callable: &Callable, target: &str) -> Stmt {
        let is_inside = !self.scope.in_main;
        let mut danger = Danger::default();
        let mut arguments = Vec::new();
        for (index, &param) in callable.takes.iter().enumerate() {
            match param {
                _ if index == 0 && callable.is_recursive && is_inside => {
                    arguments.push("n - 1".to_owned());
                }
                Param::Value(_) if index == 0 && callable.is_recursive => {
                    let small = self.small(3);
                    danger = danger.and(small.danger);
                    arguments.push(small.text);
                }
                Param::Value(_) => {
                    let value = self.leaf();
                    danger = danger.and(value.danger);
                    arguments.push(value.text);
                }
                Param::Pointer(ty) => arguments.push(self.address(ty)),
            }
        }
        Stmt::Plain(Text {
            text: format!("{target} = {}({});", callable.name, arguments.join(", ")),
            danger,
        })
    }

    /// The address of a variable of a type, or rarely null.
    fn address(&mut self, ty: Ty) -> String {
        let places: Vec<&Place> = (self.scope.places.iter())
            .filter(|place| place.ty == ty && place.is_writable)
            .filter(|place| !place.text.contains("halves") && !place.text.contains("bytes"))
            .collect();
        if places.is_empty() || self.rng.one_in(30) {
            return "0".to_owned();
        }
        let text = &places[self.rng.below(places.len())].text;
        match text.strip_prefix('*') {
            Some(pointer) => pointer.to_owned(),
            None => format!("&{text}"),
        }
    }

    fn pointer_move(&mut self) -> Option<Stmt> {
        let (name, ty) = self.scope.pointers[self.rng.below(self.scope.pointers.len())].clone();
        let (a, b) = (self.address(ty), self.address(ty));
        if [&a, &b].iter().any(|text| *text == "0") && !self.rng.one_in(4) {
            return None;
        }
        if self.rng.one_in(3) {
            return Some(plain(format!("{name} = {a};")));
        }
        let condition = self.condition(1);
        Some(Stmt::Plain(Text {
            text: format!("{name} = ({}) ? {a} : {b};", condition.text),
            danger: condition.danger,
        }))
    }

    fn array_write(&mut self) -> Stmt {
        let arrays = self.scope.arrays.len();
        let Array { name, ty, length } = self.scope.arrays[self.rng.below(arrays)].clone();
        let (index, danger) = self.index(length);
        let value = self.expr(1);
        let operator = self.rng.pick(&["=", "=", "+=", "^="]);
        let own = match operator {
            "+=" => overflow(ty.common(value.ty)),
            _ => Danger::default(),
        };
        Stmt::Plain(Text {
            text: format!("{name}[{index}] {operator} {};", value.text),
            danger: danger.and(value.danger).and(own),
        })
    }

    fn draw_again(&mut self, to: &mut Vec<Stmt>) {
        let name = self.fresh("b");
        to.push(declared(Ty::Bool, &name, "0"));
        let bound = self.bound();
        to.push(Stmt::Input {
            name: name.clone(),
            ty: Ty::Bool,
            low: 0,
            high: 1,
            bound,
        });
        self.add_place(name, Ty::Bool);
    }

    /// `break`, `continue` or `goto` under a condition.
    fn jump(&mut self, to: &mut Vec<Stmt>) {
        let condition = self.condition(1);
        let exits = self.scope.exits.len();
        let exit = self.scope.exits.get(self.rng.below(exits.max(1))).cloned();
        let jump = match (self.rng.below(3), exit) {
            (0, _) => "break;".to_owned(),
            (1, Some(label)) => format!("goto {label};"),
            _ => "continue;".to_owned(),
        };
        to.push(Stmt::If(condition, vec![plain(jump)], Vec::new()));
    }

    fn switch(&mut self, depth: usize) -> Stmt {
        let on = match self.rng.chance(50) {
            true => self.small(2),
            false => self.expr(1),
        };
        let mut arms = Vec::new();
        for value in 0..2 + self.rng.below(3) {
            arms.push(Arm {
                label: format!("case {value}:"),
                body: self.inner(depth + 1),
                falls_through: self.rng.one_in(4),
            });
        }
        if self.rng.chance(60) {
            arms.push(Arm {
                label: "default:".to_owned(),
                body: self.inner(depth + 1),
                falls_through: false,
            });
        }
        let on = Text {
            text: on.text,
            danger: on.danger,
        };
        Stmt::Switch(on, arms)
    }

    /// A loop with its counter before and a probe in or behind it.
    fn looped(&mut self, depth: usize) -> Vec<Stmt> {
        let counter = self.fresh("i");
        let ty = match self.rng.below(4) {
            0 => self.number_type(),
            1 => Ty::Unsigned,
            _ => Ty::Int,
        };
        let exit = self.fresh("out");
        let outer = self.scope.clone();
        self.scope.loops += 1;
        self.scope.exits.push(exit.clone());
        self.scope.places.push(Place {
            text: counter.clone(),
            ty,
            danger: Danger::default(),
            is_writable: self.rng.one_in(12),
            is_seen: true,
        });
        let mut stmts = vec![declared(ty, &counter, "0")];
        let limit = self.limit();
        let mut body = Vec::new();
        if self.rng.chance(50) {
            body.push(self.probe());
        }
        let count = 1 + self.rng.below(3);
        body.extend(self.statements(count, depth + 1));
        stmts.extend(self.shaped(&counter, ty, limit, body));
        stmts.push(Stmt::Label(exit));
        self.scope.loops = outer.loops;
        self.scope.exits = outer.exits;
        // The counter and what was there before can be named behind it.
        self.scope.places.truncate(outer.places.len() + 1);
        self.scope.arrays.truncate(outer.arrays.len());
        self.scope.pointers.truncate(outer.pointers.len());
        if self.rng.chance(60) {
            stmts.push(self.probe());
        }
        stmts
    }

    /// How far a loop counts.
    fn limit(&mut self) -> Expr {
        let fixed = |value: usize| Expr {
            text: value.to_string(),
            ty: Ty::Int,
            danger: Danger::default(),
        };
        match self.rng.below(8) {
            0 | 1 => self.small(3),
            2 | 3 => self.leaf(),
            4 if self.scope.loops == 1 => fixed(20 + self.rng.below(100)),
            _ => fixed(1 + self.rng.below(10)),
        }
    }

    fn shaped(&mut self, i: &str, ty: Ty, limit: Expr, body: Vec<Stmt>) -> Vec<Stmt> {
        let to = limit.text;
        let up = |text: String| Text {
            text,
            danger: limit.danger,
        };
        let counting = match ty.promoted() == ty {
            true => overflow(ty),
            false => Danger::default(),
        };
        let step = 1 + self.rng.below(3);
        let stepping = || {
            Stmt::Plain(Text {
                text: match step {
                    1 => format!("{i}++;"),
                    _ => format!("{i} += {step};"),
                },
                danger: counting,
            })
        };
        let before = |mut body: Vec<Stmt>| {
            body.insert(0, stepping());
            body
        };
        let after = |mut body: Vec<Stmt>| {
            body.push(stepping());
            body
        };
        let plainly = |text: String| Text {
            text,
            danger: Danger::default(),
        };
        match self.rng.below(10) {
            0..=2 => vec![Stmt::For {
                first: format!("{i} = 0"),
                condition: Text {
                    danger: limit.danger.and(counting),
                    ..up(format!("{i} < {to}"))
                },
                step: format!("{i} += {step}"),
                body,
            }],
            3 => vec![Stmt::For {
                first: format!("{i} = {to}"),
                condition: Text {
                    text: format!("{i} > 0"),
                    danger: limit.danger.and(counting),
                },
                step: format!("{i}--"),
                body,
            }],
            4 => vec![Stmt::While(up(format!("{i} < {to}")), before(body))],
            5 => vec![Stmt::While(up(format!("{i} < {to}")), after(body))],
            6 => vec![Stmt::DoWhile(before(body), up(format!("{i} < {to}")))],
            7 => {
                let stop = Stmt::If(
                    up(format!("{i} >= {to}")),
                    vec![plain("break;".to_owned())],
                    Vec::new(),
                );
                let mut all = vec![stop];
                all.extend(before(body));
                let forever = match self.rng.chance(50) {
                    true => Stmt::While(plainly("1".to_owned()), all),
                    false => Stmt::For {
                        first: String::new(),
                        condition: plainly("1".to_owned()),
                        step: String::new(),
                        body: all,
                    },
                };
                vec![forever]
            }
            8 => self.backward(up(format!("{i} < {to}")), after(body)),
            _ => self.by_value(i, stepping(), body),
        }
    }

    /// A loop made by a jump.
    fn backward(&mut self, condition: Text, body: Vec<Stmt>) -> Vec<Stmt> {
        let again = self.fresh("again");
        // What leaves a loop may stand in it, and there is none.
        let once = Stmt::DoWhile(
            body,
            Text {
                text: "0".to_owned(),
                danger: Danger::default(),
            },
        );
        let jump = plain(format!("goto {again};"));
        vec![
            Stmt::Label(again),
            once,
            Stmt::If(condition, vec![jump], Vec::new()),
        ]
    }

    /// A loop that goes on while a variable is not done, for a few iterations.
    fn by_value(&mut self, i: &str, stepping: Stmt, mut body: Vec<Stmt>) -> Vec<Stmt> {
        let Some(place) = self.writable().filter(|place| place.ty != Ty::Bool) else {
            body.push(stepping);
            return body;
        };
        let x = &place.text;
        let (going, change) = match self.rng.below(4) {
            0 => (format!("{x} > 0"), format!("{x} = {x} / 2;")),
            1 => (format!("{x} != 0"), format!("{x} >>= 1;")),
            2 => (
                format!("{x} != 1"),
                format!("{x} = {x} % 2 ? 3 * {x} + 1 : {x} / 2;"),
            ),
            _ => (format!("{x} < 100"), format!("{x} += {x} + 1;")),
        };
        let own = match change.contains('*') || change.contains('+') {
            true => Danger::of(Kind::Overflow),
            false => Danger::default(),
        };
        body.push(stepping);
        body.push(Stmt::Plain(Text {
            text: change,
            danger: place.danger.and(own),
        }));
        let condition = Text {
            text: format!("{i} < 12 && {going}"),
            danger: place.danger,
        };
        vec![Stmt::While(condition, body)]
    }
}
