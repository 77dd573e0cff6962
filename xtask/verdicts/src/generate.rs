//! Draws random programs: a theme says what each is mostly about.
//!
//! What the sanitizers do not see is not drawn: effects without order, reads through other types
//! (but for unions, which gcc allows), and pointers that leave their array by more than the gap
//! behind it. An uninitialised variable has any value, so that it is an input for the compiler.

mod expr;
mod stmt;

use crate::syntax::{Danger, Function, Global, Program, Seen, Stmt, Text, WIDTH};
use crate::types::Ty;
use base::Rng;

/// What a program is mostly about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Theme {
    Loops,
    Nested,
    Widths,
    Bits,
    Division,
    Functions,
    Recursion,
    Pointers,
    Arrays,
    Structs,
    Unions,
    Uninitialised,
    Switch,
    Goto,
    Draws,
    Handlers,
}

impl Theme {
    const ALL: [Theme; 16] = [
        Theme::Loops,
        Theme::Nested,
        Theme::Widths,
        Theme::Bits,
        Theme::Division,
        Theme::Functions,
        Theme::Recursion,
        Theme::Pointers,
        Theme::Arrays,
        Theme::Structs,
        Theme::Unions,
        Theme::Uninitialised,
        Theme::Switch,
        Theme::Goto,
        Theme::Draws,
        Theme::Handlers,
    ];

    /// In a word.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Theme::Loops => "loops",
            Theme::Nested => "nested",
            Theme::Widths => "widths",
            Theme::Bits => "bits",
            Theme::Division => "division",
            Theme::Functions => "functions",
            Theme::Recursion => "recursion",
            Theme::Pointers => "pointers",
            Theme::Arrays => "arrays",
            Theme::Structs => "structs",
            Theme::Unions => "unions",
            Theme::Uninitialised => "uninitialised",
            Theme::Switch => "switch",
            Theme::Goto => "goto",
            Theme::Draws => "draws",
            Theme::Handlers => "handlers",
        }
    }
}

/// A program and what it is about.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Drawn {
    pub(crate) theme: Theme,
    pub(crate) program: Program,
}

/// The program of a seed.
pub(crate) fn draw(seed: u64) -> Drawn {
    let mut rng = Rng::new(seed);
    let theme = rng.pick(&Theme::ALL);
    let mut drawing = Drawing {
        rng,
        theme,
        program: Program {
            types: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            main: Vec::new(),
            probes: Vec::new(),
        },
        scope: Scope::default(),
        callable: Vec::new(),
        names: 0,
        loops: 0,
    };
    drawing.program();
    Drawn {
        theme,
        program: drawing.program,
    }
}

/// A place that holds an integer.
#[derive(Clone, PartialEq, Debug)]
struct Place {
    text: String,
    ty: Ty,
    danger: Danger,
    /// Whether statements may change it.
    is_writable: bool,
    /// Whether a probe may read it: it always has a value.
    is_seen: bool,
}

/// An array, by name.
#[derive(Clone, PartialEq, Debug)]
struct Array {
    name: String,
    ty: Ty,
    length: usize,
}

/// What can be named where a statement stands.
#[derive(Clone, Default, Debug)]
struct Scope {
    places: Vec<Place>,
    arrays: Vec<Array>,
    /// Pointers to integers, and whether they may be moved to another one.
    pointers: Vec<(String, Ty)>,
    /// Labels behind the loops around, to jump to.
    exits: Vec<String>,
    /// How many loops are around.
    loops: usize,
    in_main: bool,
}

/// A function that can be called.
#[derive(Clone, Debug)]
struct Callable {
    name: String,
    gives: Ty,
    takes: Vec<Param>,
    /// Whether the first parameter bounds its recursion.
    is_recursive: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Param {
    Value(Ty),
    Pointer(Ty),
}

struct Drawing {
    rng: Rng,
    theme: Theme,
    program: Program,
    scope: Scope,
    callable: Vec<Callable>,
    names: usize,
    /// How many loops the program has.
    loops: usize,
}

impl Drawing {
    fn program(&mut self) {
        self.globals();
        let functions = match self.theme {
            Theme::Functions | Theme::Recursion => 1 + self.rng.below(2),
            _ => usize::from(self.rng.one_in(6)),
        };
        for _ in 0..functions {
            let is_recursive = self.theme == Theme::Recursion || self.rng.one_in(8);
            self.function(is_recursive, None);
        }
        self.scope.in_main = true;
        let mut main = self.inputs();
        if self.theme == Theme::Handlers {
            main.extend(self.handlers());
        }
        main.extend(self.locals());
        let statements = 3 + self.rng.below(4);
        main.extend(self.statements(statements, 0));
        main.push(self.probe());
        self.program.main = main;
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn number_type(&mut self) -> Ty {
        match self.theme {
            Theme::Widths => self.rng.pick(&Ty::NUMBERS),
            _ if self.rng.chance(50) => Ty::Int,
            _ if self.rng.chance(30) => Ty::Unsigned,
            _ => self.rng.pick(&Ty::NUMBERS),
        }
    }

    fn globals(&mut self) {
        if !self.rng.one_in(3) {
            return;
        }
        let ty = self.number_type();
        let name = self.fresh("g");
        let value = self.rng.below(10);
        self.program.globals.push(Global {
            declaration: format!("{} {name} = {value};", ty.name()),
            resets: vec![format!("{name} = {value};")],
        });
        self.add_place(name, ty);
    }

    fn add_place(&mut self, text: String, ty: Ty) {
        self.scope.places.push(Place {
            text,
            ty,
            danger: Danger::default(),
            is_writable: true,
            is_seen: true,
        });
    }

    /// The inputs, with some thousand combinations at most.
    fn inputs(&mut self) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        let mut left: usize = if self.theme == Theme::Draws { 16 } else { 512 };
        if self.theme == Theme::Uninitialised {
            left = 8;
            let name = self.fresh("u");
            let ty = self.rng.pick(&[Ty::UnsignedChar, Ty::SignedChar]);
            stmts.push(Stmt::Uninitialised {
                name: name.clone(),
                ty,
            });
            self.add_place(name, ty);
        }
        for _ in 0..1 + self.rng.below(3) {
            let ty = match self.rng.below(4) {
                0 => Ty::Bool,
                1 => Ty::Int,
                2 => Ty::UnsignedChar,
                _ => self.number_type(),
            };
            let ty = ty.nondet().map_or(Ty::Int, |_| ty);
            let most = (2 + self.rng.below(20)).min(left);
            if most < 2 {
                break;
            }
            let (low, high) = match ty {
                Ty::Bool => (0, 1),
                _ if ty.is_signed() && self.rng.chance(60) => {
                    let low = -(self.rng.below(most) as i64);
                    (low, low + most as i64 - 1)
                }
                _ => (0, most as i64 - 1),
            };
            left /= (high - low + 1) as usize;
            let name = self.fresh("x");
            stmts.push(declared(ty, &name, "0"));
            let bound = self.bound();
            stmts.push(Stmt::Input {
                name: name.clone(),
                ty,
                low,
                high,
                bound,
            });
            self.add_place(name, ty);
        }
        stmts
    }

    fn bound(&mut self) -> crate::syntax::Bound {
        match self.rng.one_in(3) {
            true => crate::syntax::Bound::Assume,
            false => crate::syntax::Bound::Leave,
        }
    }

    /// Variables of a function, each with a value.
    fn locals(&mut self) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for _ in 0..1 + self.rng.below(3) {
            let ty = self.number_type();
            let name = self.fresh("v");
            let value = self.rng.below(20).to_string();
            stmts.push(declared(ty, &name, &value));
            self.add_place(name, ty);
        }
        if self.theme == Theme::Arrays || self.rng.one_in(8) {
            stmts.push(self.array());
        }
        if self.theme == Theme::Structs || self.rng.one_in(12) {
            stmts.extend(self.structure());
        }
        if self.theme == Theme::Unions {
            stmts.extend(self.union());
        }
        if self.theme == Theme::Pointers || self.rng.one_in(10) {
            stmts.extend(self.pointer());
        }
        stmts
    }

    fn array(&mut self) -> Stmt {
        let ty = self.number_type();
        let name = self.fresh("a");
        let length = 2 + self.rng.below(4);
        let values: Vec<String> = (0..length).map(|_| self.rng.below(9).to_string()).collect();
        let text = format!(
            "{} {name}[{length}] = {{{}}};",
            ty.name(),
            values.join(", ")
        );
        for index in 0..length {
            self.add_place(format!("{name}[{index}]"), ty);
        }
        self.scope.arrays.push(Array { name, ty, length });
        plain(text)
    }

    fn structure(&mut self) -> Vec<Stmt> {
        let (tag, name) = (self.fresh("S"), self.fresh("s"));
        let types = [self.number_type(), self.number_type(), self.number_type()];
        let [a, b, c] = types.map(Ty::name);
        let declaration = format!("struct {tag} {{ {a} p; {b} q; {c} r[2]; }};");
        self.program.types.push(declaration);
        let mut stmts = vec![plain(format!("struct {tag} {name} = {{1, 2, {{3, 4}}}};"))];
        let mut names = vec![name];
        if self.rng.chance(50) {
            let other = self.fresh("s");
            stmts.push(plain(format!("struct {tag} {other} = {};", names[0])));
            names.push(other);
        }
        for name in &names {
            self.add_place(format!("{name}.p"), types[0]);
            self.add_place(format!("{name}.q"), types[1]);
            self.add_place(format!("{name}.r[0]"), types[2]);
            self.add_place(format!("{name}.r[1]"), types[2]);
            self.scope.arrays.push(Array {
                name: format!("{name}.r"),
                ty: types[2],
                length: 2,
            });
        }
        stmts
    }

    /// A union: all its members have a value once the widest has.
    fn union(&mut self) -> Vec<Stmt> {
        let (tag, name) = (self.fresh("U"), self.fresh("w"));
        let declaration = format!(
            "union {tag} {{ unsigned int all; unsigned char bytes[4]; short halves[2]; int sign; }};"
        );
        self.program.types.push(declaration);
        let value = self.rng.below(1000);
        self.add_place(format!("{name}.all"), Ty::Unsigned);
        self.add_place(format!("{name}.bytes[0]"), Ty::UnsignedChar);
        self.add_place(format!("{name}.bytes[3]"), Ty::UnsignedChar);
        self.add_place(format!("{name}.halves[1]"), Ty::Short);
        self.add_place(format!("{name}.sign"), Ty::Int);
        vec![
            plain(format!("union {tag} {name};")),
            plain(format!("{name}.all = {value};")),
        ]
    }

    fn pointer(&mut self) -> Vec<Stmt> {
        let targets: Vec<Place> = (self.scope.places.iter())
            .filter(|place| place.is_writable && place.ty != Ty::Bool && !place.text.contains('*'))
            .filter(|place| !place.text.contains("halves") && !place.text.contains("bytes"))
            .cloned()
            .collect();
        let Some(place) = targets.get(self.rng.below(targets.len().max(1))) else {
            return Vec::new();
        };
        let name = self.fresh("p");
        let ty = place.ty;
        let start = match self.rng.one_in(6) {
            true => "0".to_owned(),
            false => format!("&{}", place.text),
        };
        self.scope.pointers.push((name.clone(), ty));
        self.scope.places.push(Place {
            text: format!("*{name}"),
            ty,
            danger: Danger::of(crate::syntax::Kind::Deref),
            is_writable: true,
            is_seen: false,
        });
        vec![plain(format!("{} *{name} = {start};", ty.name()))]
    }

    /// Functions of one type, called through a table of them or a pointer to one.
    fn handlers(&mut self) -> Vec<Stmt> {
        let is_in_main = std::mem::replace(&mut self.scope.in_main, false);
        let first = self.callable.len();
        self.function(false, None);
        let like = self.callable[first].clone();
        for _ in 0..1 + self.rng.below(2) {
            self.function(false, Some(&like));
        }
        self.scope.in_main = is_in_main;
        let names: Vec<String> = self.callable.drain(first..).map(|row| row.name).collect();
        let takes = like.takes.iter().map(|param| match param {
            Param::Value(ty) => ty.name().to_owned(),
            Param::Pointer(ty) => format!("{} *", ty.name()),
        });
        let takes = takes.collect::<Vec<_>>().join(", ");
        let (table, handler, which) = (self.fresh("t"), self.fresh("h"), self.fresh("w"));
        let (gives, count) = (like.gives.name(), names.len());
        self.add_place(which.clone(), Ty::Unsigned);
        let through = [format!("{table}[{which} % {count}u]"), handler.clone()];
        self.callable.extend(through.map(|name| Callable {
            name,
            ..like.clone()
        }));
        let all = names.join(", ");
        let chosen = self.leaf();
        let condition = Text {
            text: chosen.text,
            danger: chosen.danger,
        };
        let other = plain(format!("{handler} = {table}[{}];", count - 1));
        vec![
            plain(format!("{gives} (*{table}[{count}])({takes}) = {{{all}}};")),
            declared(Ty::Unsigned, &which, "0"),
            plain(format!("{gives} (*{handler})({takes}) = {};", names[0])),
            Stmt::If(condition, vec![other], Vec::new()),
        ]
    }

    fn function(&mut self, is_recursive: bool, like: Option<&Callable>) {
        let outer = std::mem::take(&mut self.scope);
        let globals = self.program.globals.len();
        // Globals stand first among the places.
        self.scope.places = outer.places[..globals].to_vec();
        let name = self.fresh("f");
        let gives = match like {
            Some(like) => like.gives,
            None => self.number_type(),
        };
        let mut takes = Vec::new();
        let mut params = Vec::new();
        if is_recursive {
            params.push("int n".to_owned());
            takes.push(Param::Value(Ty::Int));
            self.scope.places.push(Place {
                text: "n".to_owned(),
                ty: Ty::Int,
                danger: Danger::default(),
                is_writable: false,
                is_seen: true,
            });
        }
        match like {
            Some(like) => takes.extend(&like.takes),
            None => {
                for _ in 0..1 + self.rng.below(2) {
                    let ty = self.number_type();
                    let is_pointer = self.rng.one_in(4);
                    takes.push(if is_pointer {
                        Param::Pointer(ty)
                    } else {
                        Param::Value(ty)
                    });
                }
            }
        }
        for &taken in &takes[params.len()..] {
            let param = self.fresh("k");
            match taken {
                Param::Pointer(ty) => {
                    params.push(format!("{} *{param}", ty.name()));
                    self.scope.places.push(Place {
                        text: format!("*{param}"),
                        ty,
                        danger: Danger::of(crate::syntax::Kind::Deref),
                        is_writable: true,
                        is_seen: false,
                    });
                }
                Param::Value(ty) => {
                    params.push(format!("{} {param}", ty.name()));
                    self.add_place(param, ty);
                }
            }
        }
        let header = format!("{} {name}({})", gives.name(), params.join(", "));
        let callable = Callable {
            name,
            gives,
            takes,
            is_recursive,
        };
        let body = self.function_body(&callable);
        self.program.functions.push(Function { header, body });
        self.callable.push(callable);
        self.scope = outer;
    }

    fn function_body(&mut self, callable: &Callable) -> Vec<Stmt> {
        let local = self.fresh("v");
        let mut body = vec![declared(callable.gives, &local, "1")];
        self.add_place(local.clone(), callable.gives);
        if callable.is_recursive {
            let value = self.rng.below(5);
            let stop = vec![plain(format!("return {value};"))];
            let condition = Text {
                text: "n <= 0".to_owned(),
                danger: Danger::default(),
            };
            body.push(Stmt::If(condition, stop, Vec::new()));
            body.push(self.call(callable, &local));
        }
        let statements = 1 + self.rng.below(2);
        body.extend(self.statements(statements, 1));
        if self.rng.one_in(3) {
            body.push(self.probe());
        }
        let value = self.expr(2);
        body.push(Stmt::Plain(Text {
            text: format!("return {};", value.text),
            danger: value.danger,
        }));
        body
    }

    /// A probe at some of the variables; of whose values assertions are made.
    fn probe(&mut self) -> Stmt {
        let mut seen: Vec<Seen> = Vec::new();
        let places: Vec<&Place> = (self.scope.places.iter())
            .filter(|place| place.is_seen)
            .collect();
        for _ in 0..WIDTH * 2 {
            if seen.len() == WIDTH || places.is_empty() {
                break;
            }
            // The last ones are the counters of loops and the variables of the function.
            let place = places[places.len() - 1 - self.rng.below(places.len())];
            if seen.iter().all(|other| other.text != place.text) {
                seen.push(Seen {
                    text: place.text.clone(),
                    ty: place.ty,
                });
            }
        }
        self.program.probes.push(seen);
        Stmt::Probe(self.program.probes.len() - 1)
    }
}

fn plain(text: String) -> Stmt {
    Stmt::Plain(Text {
        text,
        danger: Danger::default(),
    })
}

fn declared(ty: Ty, name: &str, value: &str) -> Stmt {
    plain(format!("{} {name} = {value};", ty.name()))
}
