//! C's type rules: promotion, the usual arithmetic conversions, compatibility and composites.

use crate::types::{
    ArrayLen, FloatKind, FunctionType, IntKind, QualType, Qualifiers, Type, TypeId, Types,
};

/// Types nested deeper than this count as incompatible; only a contrived text has them.
const DEPTH: usize = 200;

/// Conversions.
impl Types {
    /// The kind of an integer type, `None` for `_Bool` and other types.
    pub fn kind_of(&self, ty: TypeId) -> Option<IntKind> {
        match *self.get(ty) {
            Type::Int(kind) => Some(kind),
            Type::Enum(id) => self.enums[id].underlying,
            _ => None,
        }
    }

    /// The integer promotions; other types stay as they are.
    pub fn promote(&self, ty: TypeId) -> TypeId {
        match self.get(ty) {
            Type::Bool => self.int(),
            Type::Int(_) | Type::Enum(_) => match self.kind_of(ty) {
                // An enumeration without a body yet: gcc takes it as `unsigned int`.
                None => self.uint(),
                Some(kind) if kind.rank() < IntKind::Int.rank() => self.int(),
                Some(kind) => self.int_kind(kind),
            },
            Type::Void | Type::Float(_) | Type::Complex(_) | Type::Pointer(_) => ty,
            Type::Array(..) | Type::Record(_) | Type::Function(_) | Type::VaList => ty,
        }
    }

    /// The integer promotions of a bit-field of that declared type and width. A field wider than
    /// `int` keeps its declared type.
    pub fn promote_bitfield(&self, ty: TypeId, width: u32) -> TypeId {
        let unsigned = self.scalar_int(ty).is_some_and(|int| !int.signed);
        match width {
            0..32 => self.int(),
            32 if unsigned => self.uint(),
            32 => self.int(),
            _ => self.promote(ty),
        }
    }

    /// What an argument without a parameter becomes.
    pub fn promote_argument(&self, ty: TypeId) -> TypeId {
        match self.get(ty) {
            Type::Float(FloatKind::Float) => self.double(),
            _ => self.promote(ty),
        }
    }

    /// The usual arithmetic conversions: the common type of two arithmetic operands.
    pub fn usual_arithmetic(&self, a: TypeId, b: TypeId) -> TypeId {
        let float = |ty| match self.get(ty) {
            &Type::Float(kind) | &Type::Complex(kind) => Some(kind),
            _ => None,
        };
        if let Some(kind) = float(a).max(float(b)) {
            return if self.is_complex(a) || self.is_complex(b) {
                self.complex_kind(kind)
            } else {
                self.float_kind(kind)
            };
        }
        let (a, b) = (self.promote(a), self.promote(b));
        match (self.kind_of(a), self.kind_of(b)) {
            (Some(x), Some(y)) => self.int_kind(self.common_kind(x, y)),
            _ => a,
        }
    }

    fn common_kind(&self, a: IntKind, b: IntKind) -> IntKind {
        let (high, low) = if a.rank() >= b.rank() { (a, b) } else { (b, a) };
        let (wide, narrow) = (self.int_type(high), self.int_type(low));
        if wide.signed == narrow.signed || !wide.signed {
            high
        } else if high.rank() == low.rank() {
            low
        } else if wide.bits > narrow.bits {
            high
        } else {
            high.to_unsigned()
        }
    }
}

/// Compatibility.
impl Types {
    /// Whether two types are compatible, as C11 6.2.7 has it. Qualifiers of the types themselves
    /// are the caller's business.
    pub fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        self.compatible_at(a, b, DEPTH)
    }

    /// Whether two qualified types are compatible.
    pub fn compatible_qualified(&self, a: QualType, b: QualType) -> bool {
        a.quals == b.quals && self.compatible(a.ty, b.ty)
    }

    fn compatible_at(&self, a: TypeId, b: TypeId, depth: usize) -> bool {
        let (mut a, mut b) = (a, b);
        // The spine of pointers, elements and results is a loop: only parameters recurse.
        while a != b {
            let (x, y) = match (self.get(a), self.get(b)) {
                (Type::Pointer(x), Type::Pointer(y)) => (x, y),
                (Type::Array(x, m), Type::Array(y, n)) if same_length(*m, *n) => (x, y),
                (Type::Function(f), Type::Function(g)) => {
                    if depth == 0 || !self.compatible_params(f, g, depth - 1) {
                        return false;
                    }
                    (&f.ret, &g.ret)
                }
                (&Type::Enum(id), &Type::Int(kind)) | (&Type::Int(kind), &Type::Enum(id)) => {
                    return self.enums[id].underlying == Some(kind);
                }
                _ => return false,
            };
            let function = self.is_function(a);
            if !function && quals_matter(x.quals) != quals_matter(y.quals) {
                return false;
            }
            (a, b) = (x.ty, y.ty);
        }
        true
    }

    fn compatible_params(&self, f: &FunctionType, g: &FunctionType, depth: usize) -> bool {
        let (old, new) = match (f.prototype, g.prototype) {
            (false, false) => return true,
            (true, true) => {
                return f.variadic == g.variadic
                    && f.params.len() == g.params.len()
                    && f.params
                        .iter()
                        .zip(&g.params)
                        .all(|(a, b)| self.compatible_at(a.ty, b.ty, depth));
            }
            (true, false) => (g, f),
            (false, true) => (f, g),
        };
        // A definition without a prototype may know its parameters all the same.
        !new.variadic
            && new
                .params
                .iter()
                .all(|param| self.compatible_at(self.promote_argument(param.ty), param.ty, depth))
            && (old.params.is_empty() || old.params.len() == new.params.len())
    }

    /// The type that knows all that two compatible types know.
    pub fn composite(&mut self, a: TypeId, b: TypeId) -> TypeId {
        self.composite_at(a, b, DEPTH)
    }

    fn composite_at(&mut self, a: TypeId, b: TypeId, depth: usize) -> TypeId {
        if a == b || depth == 0 {
            return a;
        }
        match (self.get(a).clone(), self.get(b).clone()) {
            (Type::Pointer(x), Type::Pointer(y)) => {
                let ty = self.composite_at(x.ty, y.ty, depth - 1);
                self.pointer_to(QualType { ty, ..x })
            }
            (Type::Array(x, m), Type::Array(y, n)) => {
                let ty = self.composite_at(x.ty, y.ty, depth - 1);
                let len = match (m, n) {
                    (ArrayLen::Known(_), _) | (ArrayLen::Variable(_), ArrayLen::Unknown) => m,
                    (ArrayLen::Unknown | ArrayLen::Variable(_), _) => n,
                };
                self.array_of(QualType { ty, ..x }, len)
            }
            (Type::Function(f), Type::Function(g)) => {
                let ty = self.composite_at(f.ret.ty, g.ret.ty, depth - 1);
                let ret = QualType { ty, ..f.ret };
                let function = match (f.prototype, g.prototype) {
                    (true, true) => {
                        let params = f.params.iter().zip(&g.params);
                        let params = params.map(|(a, b)| QualType {
                            ty: self.composite_at(a.ty, b.ty, depth - 1),
                            ..*a
                        });
                        let params = params.collect();
                        FunctionType { ret, params, ..f }
                    }
                    (true, false) | (false, false) => FunctionType { ret, ..f },
                    (false, true) => FunctionType { ret, ..g },
                };
                self.intern(Type::Function(function))
            }
            _ => a,
        }
    }
}

/// `restrict` on a pointee does not make pointers incompatible in any program worth rejecting.
fn quals_matter(quals: Qualifiers) -> u8 {
    quals.0 & !Qualifiers::RESTRICT.0
}

/// Whether two arrays may have the same length.
pub(crate) fn same_length(m: ArrayLen, n: ArrayLen) -> bool {
    match (m, n) {
        (ArrayLen::Known(m), ArrayLen::Known(n)) => m == n,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::DataModel;

    #[test]
    fn arithmetic_conversions() {
        use IntKind::*;
        for (model, a, b, expected) in [
            (DataModel::Lp64, Char, UShort, Int),
            (DataModel::Lp64, Int, UInt, UInt),
            (DataModel::Lp64, Long, UInt, Long),
            (DataModel::Ilp32, Long, UInt, ULong),
            (DataModel::Lp64, LongLong, ULong, ULongLong),
            (DataModel::Lp64, Int128, ULongLong, Int128),
            (DataModel::Ilp32, ULong, LongLong, LongLong),
        ] {
            let types = Types::new(model);
            let (a, b) = (types.int_kind(a), types.int_kind(b));
            let expected = types.int_kind(expected);
            assert_eq!(types.usual_arithmetic(a, b), expected);
            assert_eq!(types.usual_arithmetic(b, a), expected);
        }
        let types = Types::new(DataModel::Lp64);
        assert_eq!(
            types.usual_arithmetic(types.float(), types.ulong()),
            types.float()
        );
        assert_eq!(
            types.usual_arithmetic(types.bool(), types.bool()),
            types.int()
        );
        assert_eq!(types.promote_bitfield(types.uint(), 31), types.int());
        assert_eq!(types.promote_bitfield(types.uint(), 32), types.uint());
        assert_eq!(types.promote_bitfield(types.ulong(), 33), types.ulong());
    }

    #[test]
    fn compatible_and_composite() {
        let mut types = Types::new(DataModel::Lp64);
        let int = types.int();
        let open = types.array_of(int.into(), ArrayLen::Unknown);
        let three = types.array_of(int.into(), ArrayLen::Known(3));
        let four = types.array_of(int.into(), ArrayLen::Known(4));
        assert!(types.compatible(open, three));
        assert!(!types.compatible(four, three));
        let (p, q) = (
            types.pointer_to(open.into()),
            types.pointer_to(three.into()),
        );
        assert!(types.compatible(p, q));
        assert_eq!(types.composite(p, q), q);
        assert_eq!(types.composite(q, p), q);
        let mut function = |params: Vec<TypeId>, prototype| {
            types.intern(Type::Function(FunctionType {
                ret: int.into(),
                params: params.into_iter().map(QualType::from).collect(),
                variadic: false,
                prototype,
            }))
        };
        let (old, f, g) = (
            function(vec![], false),
            function(vec![p], true),
            function(vec![q], true),
        );
        let narrow = function(vec![], true);
        assert!(
            types.compatible(old, f) && types.compatible(f, g) && types.compatible(old, narrow)
        );
        assert!(!types.compatible(narrow, f));
        assert_eq!(types.composite(f, g), g);
        assert_eq!(types.composite(old, f), f);
        let character = types.char();
        let short = types.intern(Type::Function(FunctionType {
            ret: int.into(),
            params: vec![character.into()],
            variadic: false,
            prototype: true,
        }));
        assert!(!types.compatible(old, short));
    }
}
