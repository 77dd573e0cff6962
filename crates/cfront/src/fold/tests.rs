//! Small trees, built by hand.

use super::*;
use crate::types::TypeId;
use crate::types::{BitRange, DataModel, Field, QualType, Record, RecordBody};
use base::Id;

fn expr(kind: ExprKind, ty: TypeId) -> Expr {
    Expr::new(kind, QualType::from(ty), Span::NONE)
}

fn int(types: &Types, value: i128) -> Expr {
    expr(
        ExprKind::Int(IntValue::wrap(IntType::I32, value)),
        types.int(),
    )
}

fn binary(op: BinaryOp, a: Expr, b: Expr, ty: TypeId) -> Expr {
    expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty)
}

fn cast(kind: CastKind, operand: Expr, ty: TypeId) -> Expr {
    expr(ExprKind::Cast(kind, Box::new(operand), true), ty)
}

#[test]
fn integers() {
    let types = Types::new(DataModel::Lp64);
    let i = types.int();
    for (op, a, b, expected) in [
        (BinaryOp::Add, 2, 3, Some(5)),
        (
            BinaryOp::Add,
            i128::from(i32::MAX),
            1,
            Some(i128::from(i32::MIN)),
        ),
        (BinaryOp::Div, -7, 2, Some(-3)),
        (BinaryOp::Rem, -7, 2, Some(-1)),
        (BinaryOp::Div, 1, 0, None),
        (BinaryOp::Shl, 1, 31, Some(i128::from(i32::MIN))),
        (BinaryOp::Shl, 3, 31, Some(i128::from(i32::MIN))),
        (BinaryOp::Shl, 1, 32, None),
        (BinaryOp::Shr, -8, 1, Some(-4)),
        (BinaryOp::Le, 3, 3, Some(1)),
        (BinaryOp::Comma, 3, 3, None),
    ] {
        let e = binary(op, int(&types, a), int(&types, b), i);
        let value = integer(&types, &e).ok().and_then(IntValue::to_i128);
        assert_eq!(value, expected, "{a} {op:?} {b}");
    }
}

#[test]
fn unevaluated_operands_need_not_be_constant() {
    let types = Types::new(DataModel::Lp64);
    let i = types.int();
    let bad = || expr(ExprKind::Local(crate::ast::LocalId::from_index(0)), i);
    let and = binary(BinaryOp::LogicalAnd, int(&types, 0), bad(), i);
    assert_eq!(integer(&types, &and).map(IntValue::is_zero), Ok(true));
    let or = binary(BinaryOp::LogicalOr, int(&types, 0), bad(), i);
    assert!(integer(&types, &or).is_err());
    let choice = ExprKind::Conditional {
        condition: Box::new(int(&types, 1)),
        then: Some(Box::new(int(&types, 7))),
        otherwise: Box::new(bad()),
    };
    assert_eq!(
        integer(&types, &expr(choice, i)).unwrap().to_i128(),
        Some(7)
    );
}

#[test]
fn addresses() {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let mut types = Types::new(model);
        let i = types.int();
        let field = |offset, bits| Field {
            name: Some("m".into()),
            ty: i.into(),
            offset,
            bits,
        };
        let bits = Some(BitRange { start: 0, width: 3 });
        let record = types.records.push(Record {
            tag: None,
            is_union: false,
            span: Span::NONE,
            body: Some(RecordBody {
                fields: vec![field(0, bits), field(8, None)],
                size: 12,
                align: 4,
            }),
        });
        let record = types.intern(Type::Record(record));
        let to_record = types.pointer_to(record.into());
        let to_int = types.pointer_to(i.into());
        let null = cast(CastKind::IntToPointer, int(&types, 0), to_record);
        let member = |of: Expr| {
            let record_expr = expr(ExprKind::Deref(Box::new(of)), record);
            let member = ExprKind::Member {
                record: Box::new(record_expr),
                field: 1,
            };
            expr(ExprKind::AddressOf(Box::new(expr(member, i))), to_int)
        };
        let offset = cast(CastKind::PointerToInt, member(null), types.ulong());
        assert_eq!(integer(&types, &offset).unwrap().to_i128(), Some(8));

        let global = AddressBase::Global(GlobalId::from_index(0));
        let of_global = || {
            let global = expr(ExprKind::Global(GlobalId::from_index(0)), record);
            expr(ExprKind::AddressOf(Box::new(global)), to_record)
        };
        let next = binary(
            BinaryOp::PointerAdd,
            of_global(),
            int(&types, -1),
            to_record,
        );
        let expected = ConstValue::Address {
            base: Some(global),
            offset: -12,
        };
        assert_eq!(constant(&types, &next), Ok(expected));
        let gap = binary(BinaryOp::PointerDiff, of_global(), next, types.ptrdiff_t());
        assert_eq!(integer(&types, &gap).unwrap().to_i128(), Some(1));
        let narrow = cast(CastKind::PointerToInt, of_global(), types.char());
        assert!(constant(&types, &narrow).is_err());
        let same = cast(CastKind::PointerToInt, of_global(), types.ulong());
        assert!(integer(&types, &same).is_err());
        assert!(constant(&types, &same).is_ok());
        let top = cast(CastKind::IntToPointer, int(&types, -1), to_int);
        let top = constant(&types, &top);
        assert_eq!(
            top,
            Ok(ConstValue::Address {
                base: None,
                offset: -1
            })
        );
    }
}
