//! The layout of structs and unions.
//!
//! # Paper
//! System V ABI for x86-64 and i386, with gcc's extensions (`packed`, `aligned`, `#pragma pack`) as
//! gcc 12 treats them; `tests/layout.rs` compares with the compiler at hand.

use crate::types::{BitRange, Field, QualType, RecordBody, Types};
use std::sync::Arc;

/// A member as declared.
#[derive(Clone, Debug)]
pub struct FieldSpec {
    /// The name; `None` for an unnamed bit-field or an anonymous struct or union.
    pub name: Option<Arc<str>>,
    /// Its declared type.
    pub ty: QualType,
    /// For a bit-field: its width.
    pub bit_width: Option<u32>,
    /// The alignment that the name of its type has, in place of the type's own.
    pub type_align: Option<u64>,
    /// What `aligned` or `_Alignas` on the member asks for.
    pub align: Option<u64>,
    /// Whether the member itself has the attribute `packed`.
    pub packed: bool,
}

/// Places the members of a record. `packed` and `align` are the record's own attributes,
/// `pack_limit` that of `#pragma pack`.
pub fn layout(
    types: &Types,
    is_union: bool,
    fields: &[FieldSpec],
    packed: bool,
    pack_limit: Option<u64>,
    align: Option<u64>,
) -> Result<RecordBody, String> {
    let mut layout = Layout {
        types,
        is_union,
        pack_limit,
        end: 0,
        size: 0,
        align: align.unwrap_or(1).max(1),
        fields: Vec::with_capacity(fields.len()),
    };
    for field in fields {
        let packed = packed || field.packed;
        match field.bit_width {
            Some(width) => layout.bit_field(field, width, packed)?,
            None => layout.member(field, packed)?,
        }
    }
    let bytes = layout.size.div_ceil(8);
    let size = bytes.next_multiple_of(u128::from(layout.align));
    if size > u128::from(types.max_object_size()) {
        return Err("this type is too large".to_string());
    }
    Ok(RecordBody {
        fields: layout.fields,
        size: size as u64,
        align: layout.align,
    })
}

/// Positions are in bits and wide enough that no sum of sizes overflows.
struct Layout<'t> {
    types: &'t Types,
    is_union: bool,
    pack_limit: Option<u64>,
    /// The first free bit; stays 0 in a union.
    end: u128,
    /// Bits so far, without padding at the end.
    size: u128,
    /// Bytes.
    align: u64,
    fields: Vec<Field>,
}

impl Layout<'_> {
    fn member(&mut self, field: &FieldSpec, packed: bool) -> Result<(), String> {
        let types = self.types;
        let ty = field.ty.ty;
        let size = match types.size_of(ty) {
            // A flexible array member: no bytes of its own.
            _ if types.is_open_array(ty) => 0,
            Some(size) => size,
            None if types.is_complete(ty) && !types.is_variable_array(ty) => {
                return Err(format!("the type of {} is too large", named(field)));
            }
            None => return Err(format!("{} has no complete type", named(field))),
        };
        let natural = field
            .type_align
            .or_else(|| types.member_align(field.ty))
            .ok_or_else(|| format!("{} has no complete type", named(field)))?;
        let align = match (packed, field.align) {
            (true, asked) => asked.unwrap_or(1),
            (false, None) => natural,
            (false, Some(asked)) => asked.max(natural),
        };
        let align = self.limited(align);
        self.align = self.align.max(align);
        self.advance(align * 8);
        let (offset, _) = self.place(u128::from(size) * 8);
        self.fields.push(Field {
            name: field.name.clone(),
            ty: field.ty,
            offset,
            bits: None,
        });
        Ok(())
    }

    fn bit_field(&mut self, field: &FieldSpec, width: u32, packed: bool) -> Result<(), String> {
        let ty = field.ty.ty;
        let (Some(int), Some(size), Some(natural)) = (
            self.types.scalar_int(ty),
            self.types.size_of(ty),
            field
                .type_align
                .or_else(|| self.types.member_align(field.ty)),
        ) else {
            return Err(format!(
                "{} is a bit-field but not an integer",
                named(field)
            ));
        };
        if width > u32::from(int.bits) {
            return Err(format!(
                "{} has {width} bits but its type only {}",
                named(field),
                int.bits
            ));
        }
        if width == 0 {
            if field.name.is_some() {
                return Err(format!("{} has a name but no bits", named(field)));
            }
            // It closes the unit of its type, whatever is packed.
            self.advance(natural.max(field.align.unwrap_or(1)) * 8);
            return Ok(());
        }
        if let Some(asked) = field.align {
            let asked = self.limited(asked);
            self.advance(asked * 8);
            // gcc: a whole 8-byte field that happens to be aligned keeps that alignment, unless
            // i386's lower limit applies, which any explicit alignment switches off.
            let whole = !packed && width == 64 && self.end.is_multiple_of(64);
            let asked = asked.max(if whole { self.limited(8) } else { 1 });
            if field.name.is_some() {
                self.align = self.align.max(asked);
            }
        }
        if field.name.is_some() {
            let align = match self.pack_limit {
                Some(limit) => natural.min(limit),
                None if packed => 1,
                None => natural,
            };
            self.align = self.align.max(align);
        }
        if !packed && self.pack_limit.is_none() && self.straddles(width, natural, size) {
            self.advance(natural * 8);
        }
        let (offset, start) = self.place(u128::from(width));
        if field.name.is_some() {
            self.fields.push(Field {
                name: field.name.clone(),
                ty: field.ty,
                offset,
                bits: Some(BitRange {
                    start,
                    width: width as u8,
                }),
            });
        }
        Ok(())
    }

    /// Whether a bit-field put at the end would touch more units of its type's alignment than the
    /// type has.
    fn straddles(&self, width: u32, align: u64, size: u64) -> bool {
        let unit = u128::from(align) * 8;
        let touched = (self.end % unit + u128::from(width)).div_ceil(unit);
        touched > u128::from(size) * 8 / unit
    }

    fn limited(&self, align: u64) -> u64 {
        self.pack_limit.map_or(align, |limit| align.min(limit))
    }

    /// Skips to a multiple of that many bits.
    fn advance(&mut self, bits: u64) {
        if !self.is_union {
            self.end = self.end.next_multiple_of(u128::from(bits));
            self.size = self.size.max(self.end);
        }
    }

    /// Takes the next bits; tells the first. A sum that is too large is found at the end.
    fn place(&mut self, bits: u128) -> (u64, u8) {
        let start = self.end;
        if !self.is_union {
            self.end += bits;
        }
        self.size = self.size.max(start + bits);
        ((start / 8) as u64, (start % 8) as u8)
    }
}

fn named(field: &FieldSpec) -> String {
    match &field.name {
        Some(name) => format!("member `{name}`"),
        None => "an unnamed member".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{ArrayLen, DataModel, TypeId};

    fn spec(name: &str, ty: TypeId, bit_width: Option<u32>) -> FieldSpec {
        FieldSpec {
            name: (!name.is_empty()).then(|| name.into()),
            ty: ty.into(),
            bit_width,
            type_align: None,
            align: None,
            packed: false,
        }
    }

    #[test]
    fn pads_and_packs() {
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let mut types = Types::new(model);
            let fields = [
                spec("a", types.char(), None),
                spec("b", types.int(), Some(20)),
                spec("c", types.int(), Some(20)),
                spec("", types.int(), Some(0)),
                spec("d", types.char(), Some(3)),
            ];
            let body = layout(&types, false, &fields, false, None, None).unwrap();
            let places: Vec<_> = body.fields.iter().map(|f| (f.offset, f.bits)).collect();
            let bits = |start, width| Some(BitRange { start, width });
            assert_eq!(
                places,
                [
                    (0, None),
                    (1, bits(0, 20)),
                    (4, bits(0, 20)),
                    (8, bits(0, 3))
                ]
            );
            assert_eq!((body.size, body.align), (12, 4));
            let body = layout(&types, false, &fields[..3], true, None, None).unwrap();
            assert_eq!(body.fields[2].bits, bits(4, 20));
            assert_eq!((body.size, body.align), (6, 1));
            let flexible = types.array_of(types.long().into(), ArrayLen::Unknown);
            let fields = [spec("n", types.char(), None), spec("a", flexible, None)];
            let body = layout(&types, false, &fields, false, None, None).unwrap();
            assert_eq!(body.size, model.word_bytes());
        }
    }

    #[test]
    fn refuses() {
        let mut types = Types::new(DataModel::Lp64);
        let huge = types.array_of(types.char().into(), ArrayLen::Known(1 << 62));
        for (fields, expected) in [
            (
                vec![spec("a", types.int(), Some(33))],
                "member `a` has 33 bits but its type only 32",
            ),
            (
                vec![spec("a", types.int(), Some(0))],
                "member `a` has a name but no bits",
            ),
            (
                vec![spec("a", types.double(), Some(3))],
                "member `a` is a bit-field but not an integer",
            ),
            (
                vec![spec("a", types.void(), None)],
                "member `a` has no complete type",
            ),
            (
                vec![spec("a", huge, None), spec("b", huge, None)],
                "this type is too large",
            ),
        ] {
            let result = layout(&types, false, &fields, false, None, None);
            assert_eq!(result.unwrap_err(), expected);
        }
    }
}
