//! Random well-formed programs, for tests.
//!
//! They have everything the IR has: globals, objects, calls (also through pointers and
//! recursive), loops (now and then irreducible), inputs, error locations and halts. Most
//! operations are defined on most runs and most loops end, so that running one is worth while.
//!
//! # Invariants
//! - Same seed, same program; every program passes `validate`.

use base::{Id, Rng, Span};
use logic::{IntType, IntValue};
use program::expr::{BinaryOp, Constant, Expr, FloatType, Type, UnaryOp};
use program::ir::*;

/// A value of a type, small ones being likely.
pub fn constant(rng: &mut Rng, ty: Type) -> Constant {
    match ty {
        Type::Bool => Constant::Bool(rng.chance(50)),
        Type::Int(ty) => Constant::Int(match rng.below(8) {
            0 => ty.min(),
            1 => ty.max(),
            2 => IntValue::from_bits(ty, u128::from(rng.bits())),
            _ => IntValue::wrap(ty, rng.below(12) as i128 - if ty.signed { 4 } else { 0 }),
        }),
        Type::Float(ty) => {
            let value = rng.below(64) as f32 / 4.0 - 4.0;
            match ty {
                FloatType::F32 => Constant::Float(ty, u64::from(value.to_bits())),
                FloatType::F64 => Constant::Float(ty, f64::from(value).to_bits()),
            }
        }
        Type::Ptr => Constant::Null,
    }
}

const TYPES: [Type; 10] = [
    Type::Bool,
    Type::I32,
    Type::I32,
    Type::Int(IntType::unsigned(32)),
    Type::Int(IntType::U8),
    Type::Int(IntType::signed(16)),
    Type::Int(IntType::I64),
    Type::Int(IntType::unsigned(64)),
    Type::Float(FloatType::F64),
    Type::Ptr,
];

const OBJECT_BYTES: u64 = 32;

/// The program of a seed; `size` is roughly the number of statements of each procedure.
pub fn program(seed: u64, size: usize) -> Program {
    let mut rng = Rng::new(seed);
    let mut program = Program::new(if rng.chance(80) { 8 } else { 4 });
    let procs = 1 + rng.below(4);
    for index in 0..1 + rng.below(4) {
        let ty = rng.pick(&TYPES);
        let init = constant(&mut rng, ty);
        program.add_global(format!("g{index}"), init, span(&mut rng));
    }
    for index in 0..2 {
        program.objects.push(Object {
            name: format!("o{index}").as_str().into(),
            size: OBJECT_BYTES,
            align: 8,
            scope: Scope::Global,
            read_only: false,
            init: ObjectInit {
                bytes: (0..rng.below(20)).map(|byte| byte as u8).collect(),
                addresses: Vec::new(),
            },
            contents: None,
            span: Span::NONE,
        });
    }
    for index in 0..procs {
        declare(&mut rng, &mut program, index);
    }
    for proc in program.procs.ids() {
        Body::fill(&mut rng, &mut program, proc, size);
    }
    program
}

fn span(rng: &mut Rng) -> Span {
    let lo = rng.below(500) as u32;
    Span {
        lo,
        hi: lo + rng.below(9) as u32,
    }
}

/// A procedure without a body, with parameters and locals.
fn declare(rng: &mut Rng, program: &mut Program, index: usize) {
    let ret = rng.chance(80).then(|| rng.pick(&TYPES));
    let ret = if index == 0 { Some(Type::I32) } else { ret };
    let id = program.procs.next_id();
    let at = span(rng);
    let mut procedure = Procedure::new(format!("f{index}"), ret, at);
    if index > 0 {
        for param in 0..rng.below(3) {
            let ty = rng.pick(&TYPES);
            procedure
                .params
                .push(program.add_local(id, format!("a{param}"), ty, at));
        }
    }
    program.procs.push(procedure);
    for (local, ty) in TYPES.into_iter().enumerate() {
        // Names that are shared, and some that are words or no identifiers.
        let name = rng.pick(&["x", "y", "assume", "i32", "$t", "two words", ""]);
        program.add_local(id, format!("{name}{}", local % 3), ty, at);
    }
    if rng.chance(60) {
        let contents = contents_site(program, "buffer");
        program.objects.push(Object {
            name: "buffer".into(),
            size: OBJECT_BYTES,
            align: 4,
            scope: Scope::Local(id),
            read_only: false,
            init: ObjectInit::default(),
            contents: Some(contents),
            span: at,
        });
    }
}

/// Where the bytes of an object come from that is made without a value.
fn contents_site(program: &mut Program, name: &str) -> SiteId {
    let byte = Type::Int(logic::IntType::unsigned(8));
    program.add_site(SiteKind::Contents, byte, name, Span::NONE)
}

/// Fills one procedure.
struct Body<'a> {
    rng: &'a mut Rng,
    program: &'a mut Program,
    proc: ProcId,
    vars: Vec<VarId>,
    objects: Vec<ObjectId>,
    /// Where a jump may go.
    places: Vec<LocationId>,
    fuel: usize,
}

impl Body<'_> {
    fn fill(rng: &mut Rng, program: &mut Program, proc: ProcId, size: usize) {
        let visible = |scope: Scope| scope == Scope::Global || scope == Scope::Local(proc);
        let vars = program
            .vars
            .iter_enumerated()
            .filter(|(_, var)| visible(var.scope));
        let vars: Vec<VarId> = vars.map(|(id, _)| id).collect();
        let objects = program
            .objects
            .iter_enumerated()
            .filter(|(_, object)| visible(object.scope));
        let objects: Vec<ObjectId> = objects.map(|(id, _)| id).collect();
        let mut body = Body {
            rng,
            program,
            proc,
            vars: vars.clone(),
            objects: objects.clone(),
            places: Vec::new(),
            fuel: size,
        };
        let mut at = body.procedure().entry;
        for object in objects {
            if body.program.objects[object].scope == Scope::Local(proc) {
                at = body.step(at, Op::Enter(object));
            }
        }
        for var in vars {
            let params = &body.program.procs[proc].params;
            if body.program.vars[var].scope == Scope::Local(proc) && !params.contains(&var) {
                at = body.havoc(at, var, SiteKind::Uninitialized);
            }
        }
        if let Some(end) = body.block(at, 3) {
            body.finish(end);
        }
    }

    fn procedure(&mut self) -> &mut Procedure {
        &mut self.program.procs[self.proc]
    }

    fn location(&mut self) -> LocationId {
        let at = span(self.rng);
        let location = self.procedure().add_location(at);
        self.places.push(location);
        location
    }

    fn step(&mut self, from: LocationId, op: Op) -> LocationId {
        let to = self.location();
        self.edge(from, to, op);
        to
    }

    fn edge(&mut self, from: LocationId, to: LocationId, op: Op) {
        let at = span(self.rng);
        self.procedure().add_edge(from, to, op, at);
    }

    fn havoc(&mut self, from: LocationId, var: VarId, kind: SiteKind) -> LocationId {
        let row = self.program.vars[var].clone();
        let site = self.program.add_site(kind, row.ty, row.name, row.span);
        self.step(from, Op::Havoc(Place::Var(var), site))
    }

    fn finish(&mut self, at: LocationId) {
        let value = self.procedure().ret.map(|ty| self.expr(ty, 2));
        let exit = self.procedure().exit;
        self.edge(at, exit, Op::Return(value));
    }

    /// A list of statements; `None` if its end is not reached.
    fn block(&mut self, mut at: LocationId, depth: usize) -> Option<LocationId> {
        let mut count = 1 + self.rng.below(6);
        while count > 0 && self.fuel > 0 {
            count -= 1;
            self.fuel -= 1;
            at = self.statement(at, depth)?;
        }
        Some(at)
    }

    fn statement(&mut self, at: LocationId, depth: usize) -> Option<LocationId> {
        match self.rng.below(if depth > 0 { 24 } else { 17 }) {
            0..=6 => {
                let var = self.rng.pick(&self.vars);
                let value = self.expr(self.program.vars[var].ty, 3);
                Some(self.step(at, Op::Assign(Place::Var(var), value)))
            }
            7 | 8 => {
                let var = self.rng.pick(&self.vars);
                Some(self.havoc(at, var, SiteKind::Nondet))
            }
            9 | 10 => {
                let ty = self.memory_type();
                let place = Place::Mem(ty, self.address());
                let value = self.expr(ty, 2);
                Some(self.step(at, Op::Assign(place, value)))
            }
            11 => {
                let condition = self.condition(2);
                let next = self.location();
                let message = "assertion failed: \"x\" > 0 \\ \u{1F980}\n".to_string();
                let violation = Violation {
                    property: Property::Assertion,
                    message,
                    span: span(self.rng),
                };
                let error = self.procedure().add_error(violation);
                self.branch(at, condition, next, error);
                Some(next)
            }
            12..=14 => Some(self.call(at)),
            15 if self.rng.chance(30) => {
                self.finish(at);
                None
            }
            15 if self.rng.chance(20) => {
                let halt = if self.rng.chance(50) {
                    Halt::Abort
                } else {
                    Halt::Exit(self.expr(Type::I32, 1))
                };
                let end = self.procedure().add_location(Span::NONE);
                self.edge(at, end, Op::Halt(halt));
                None
            }
            15 => Some(self.step(at, Op::Skip)),
            16 if self.rng.chance(10) => Some(self.step(at, Op::Unsupported("asm".into()))),
            16 => {
                // A jump, perhaps into a loop.
                let target = self.rng.pick(&self.places);
                let condition = self.condition(1);
                let next = self.location();
                let jumps = self.rng.chance(30);
                self.branch(at, condition, next, if jumps { target } else { next });
                Some(next)
            }
            17..=20 => {
                let (then, otherwise, join) = (self.location(), self.location(), self.location());
                let condition = self.condition(2);
                self.branch(at, condition, then, otherwise);
                for start in [then, otherwise] {
                    if let Some(end) = self.block(start, depth - 1) {
                        self.edge(end, join, Op::Skip);
                    }
                }
                Some(join)
            }
            _ => Some(self.counted_loop(at, depth)),
        }
    }

    /// A loop that a fresh counter ends, if nothing else does.
    fn counted_loop(&mut self, at: LocationId, depth: usize) -> LocationId {
        let ty = IntType::unsigned(self.rng.pick(&[8, 32]));
        let counter = self
            .program
            .add_local(self.proc, "$count", Type::Int(ty), Span::NONE);
        let read = || Box::new(Expr::Var(counter));
        let one = Box::new(Expr::int(ty, 1));
        let head = self.step(at, Op::Assign(Place::Var(counter), Expr::int(ty, 0)));
        let (body, next) = (self.location(), self.location());
        let bound = Box::new(Expr::int(ty, 1 + self.rng.below(8) as i128));
        let mut condition = Expr::Binary(BinaryOp::Lt, Type::Int(ty), read(), bound);
        if self.rng.chance(40) {
            let further = self.condition(1);
            let both = (Box::new(condition), Box::new(further));
            condition = Expr::Binary(BinaryOp::And, Type::Bool, both.0, both.1);
        }
        self.branch(head, condition, body, next);
        if let Some(end) = self.block(body, depth - 1) {
            let more = Expr::Binary(BinaryOp::Add, Type::Int(ty), read(), one);
            self.edge(end, head, Op::Assign(Place::Var(counter), more));
        }
        next
    }

    fn branch(&mut self, at: LocationId, condition: Expr, then: LocationId, otherwise: LocationId) {
        let span = span(self.rng);
        self.procedure()
            .add_branch(at, condition, then, otherwise, span);
    }

    fn call(&mut self, at: LocationId) -> LocationId {
        let last = self.program.procs.len() - 1;
        // Mostly forwards, so that most programs do not recurse.
        let first = if self.rng.chance(5) {
            1
        } else {
            self.proc.index() + 1
        };
        if first > last {
            return self.allocate(at);
        }
        let callee = ProcId::from_index(first + self.rng.below(last - first + 1));
        let (params, ret) = (
            self.program.procs[callee].params.clone(),
            self.program.procs[callee].ret,
        );
        let args = params
            .iter()
            .map(|&param| self.expr(self.program.vars[param].ty, 2))
            .collect();
        let of_type = |&var: &VarId| Some(self.program.vars[var].ty) == ret;
        let results: Vec<VarId> = self.vars.iter().copied().filter(of_type).collect();
        let result = (!results.is_empty() && self.rng.chance(80)).then(|| self.rng.pick(&results));
        let callee = if self.rng.chance(10) {
            Callee::Pointer(Expr::Proc(callee))
        } else {
            Callee::Proc(callee)
        };
        let call = Call {
            result,
            callee,
            args,
            varargs: None,
            contents: None,
        };
        self.step(at, Op::Call(call))
    }

    fn allocate(&mut self, at: LocationId) -> LocationId {
        let size = self.program.size_type();
        let is_ptr = |var: &VarId| self.program.vars[*var].ty == Type::Ptr;
        let pointers: Vec<VarId> = self.vars.iter().copied().filter(is_ptr).collect();
        let call = Call {
            result: Some(self.rng.pick(&pointers)),
            callee: Callee::Library(Library::Malloc),
            args: vec![Expr::int(size, 16)],
            varargs: None,
            contents: Some(contents_site(self.program, "malloc")),
        };
        self.step(at, Op::Call(call))
    }

    fn memory_type(&mut self) -> Type {
        self.rng.pick(&TYPES[1..9])
    }

    /// An address inside an object.
    fn address(&mut self) -> Expr {
        let object = self.rng.pick(&self.objects);
        let ty = self.program.offset_type();
        let offset = Expr::int(ty, self.rng.below(4) as i128 * 8);
        Expr::Offset(Box::new(Expr::Object(object)), Box::new(offset))
    }

    fn condition(&mut self, depth: usize) -> Expr {
        self.expr(Type::Bool, depth)
    }

    fn expr(&mut self, ty: Type, depth: usize) -> Expr {
        let fits = |var: &VarId| self.program.vars[*var].ty == ty;
        let vars: Vec<VarId> = self.vars.iter().copied().filter(fits).collect();
        if depth == 0 || self.rng.chance(15) {
            return match (vars.is_empty(), self.rng.chance(65)) {
                (false, true) => Expr::Var(self.rng.pick(&vars)),
                _ if ty == Type::Ptr => self.address(),
                _ => Expr::Const(constant(self.rng, ty)),
            };
        }
        match self.rng.below(12) {
            0 => Expr::Select(
                Box::new(self.condition(depth - 1)),
                Box::new(self.expr(ty, depth - 1)),
                Box::new(self.expr(ty, depth - 1)),
            ),
            1 if ty != Type::Bool && ty != Type::Ptr => Expr::load(ty, self.address()),
            _ => match ty {
                Type::Bool => self.bool_expr(depth - 1),
                Type::Int(ty) => self.int_expr(ty, depth - 1),
                Type::Float(_) => {
                    use BinaryOp::*;
                    let op = self.rng.pick(&[Add, Sub, Mul]);
                    self.binary(op, ty, depth - 1)
                }
                Type::Ptr => self.address(),
            },
        }
    }

    fn binary(&mut self, op: BinaryOp, ty: Type, depth: usize) -> Expr {
        let (left, right) = (self.expr(ty, depth), self.expr(ty, depth));
        Expr::Binary(op, ty, Box::new(left), Box::new(right))
    }

    fn bool_expr(&mut self, depth: usize) -> Expr {
        use BinaryOp::*;
        match self.rng.below(10) {
            0..=4 => {
                let ty = self.rng.pick(&TYPES[1..9]);
                let op = self.rng.pick(&[Eq, Ne, Lt, Le, Gt, Ge]);
                self.binary(op, ty, depth)
            }
            5 | 6 => {
                let op = self.rng.pick(&[And, Or, Xor, Eq, Ne]);
                self.binary(op, Type::Bool, depth)
            }
            7 => Expr::Unary(UnaryOp::Not, Type::Bool, Box::new(self.condition(depth))),
            8 => {
                let op = self.rng.pick(&[Add, Sub, Mul, Div, Rem, Shl]);
                let (left, right) = (self.expr(Type::I32, depth), self.expr(Type::I32, depth));
                Expr::Overflows(op, IntType::I32, Box::new(left), Box::new(right))
            }
            _ => {
                let address = self.expr(Type::Ptr, depth);
                let bytes = Expr::int(self.program.size_type(), self.rng.below(40) as i128);
                Expr::Valid(Box::new(address), Box::new(bytes), self.rng.chance(50))
            }
        }
    }

    fn int_expr(&mut self, int: IntType, depth: usize) -> Expr {
        use BinaryOp::*;
        let ty = Type::Int(int);
        match self.rng.below(12) {
            0..=3 => {
                let op = self.rng.pick(&[Add, Sub, And, Or, Xor]);
                self.binary(op, ty, depth)
            }
            4 => self.binary(Mul, ty, depth),
            5 | 6 => {
                let op = self.rng.pick(&[Div, Rem, Shl, Shr]);
                let left = self.expr(ty, depth);
                let right = match op {
                    Shl | Shr => Expr::i32(self.rng.below(7) as i32),
                    _ => Expr::int(int, 1 + self.rng.below(9) as i128),
                };
                Expr::Binary(op, ty, Box::new(left), Box::new(right))
            }
            7 => Expr::Unary(UnaryOp::Not, ty, Box::new(self.expr(ty, depth))),
            8 if !int.signed => {
                let op = self
                    .rng
                    .pick(&[UnaryOp::Popcount, UnaryOp::Bswap, UnaryOp::Neg]);
                Expr::Unary(op, ty, Box::new(self.expr(ty, depth)))
            }
            9 => Expr::Cast(ty, Box::new(self.condition(depth))),
            _ => {
                let from = self.rng.pick(&TYPES[1..8]);
                Expr::Cast(ty, Box::new(self.expr(from, depth)))
            }
        }
    }
}

/// The program with no spans, to compare what else it says.
pub fn without_spans(program: &Program) -> Program {
    let mut program = program.clone();
    let none = |span: &mut Span| *span = Span::NONE;
    program.vars.iter_mut().for_each(|row| none(&mut row.span));
    program
        .objects
        .iter_mut()
        .for_each(|row| none(&mut row.span));
    program.sites.iter_mut().for_each(|row| none(&mut row.span));
    program
        .inlines
        .iter_mut()
        .for_each(|row| none(&mut row.span));
    for procedure in program.procs.iter_mut() {
        none(&mut procedure.span);
        procedure
            .loops
            .iter_mut()
            .for_each(|row| none(&mut row.keyword));
        procedure
            .edges
            .iter_mut()
            .for_each(|edge| none(&mut edge.span));
        for location in procedure.locations.iter_mut() {
            none(&mut location.span);
            if let Some(violation) = &mut location.error {
                none(&mut violation.span);
            }
        }
    }
    program
}
