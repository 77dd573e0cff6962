//! The source's name for a part of an object: `[2].x` rather than an offset.

use crate::types::{Type, TypeId, Types};

/// Members and elements inside each other that are named.
const DEEP: usize = 16;

impl Types {
    /// The part so many bytes after the start of an object of a type, as it is written after the
    /// object's name, and its type; `None` if no scalar starts there.
    pub fn part_at(&self, ty: TypeId, offset: u64) -> Option<(String, TypeId)> {
        let mut name = String::new();
        let (mut ty, mut offset) = (ty, offset);
        for _ in 0..DEEP {
            match self.get(ty) {
                Type::Array(element, _) => {
                    let size = self.size_of(element.ty).filter(|&size| size > 0)?;
                    name.push_str(&format!("[{}]", offset / size));
                    (ty, offset) = (element.ty, offset % size);
                }
                Type::Record(id) => {
                    let body = self.records[*id].body.as_ref()?;
                    let field = body.fields.iter().find(|field| {
                        let end = field.offset + self.size_of(field.ty.ty).unwrap_or(0);
                        field.bits.is_none() && (field.offset..end).contains(&offset)
                    })?;
                    if let Some(member) = &field.name {
                        name.push_str(&format!(".{member}"));
                    }
                    (ty, offset) = (field.ty.ty, offset - field.offset);
                }
                _ => return (offset == 0).then_some((name, ty)),
            }
        }
        None
    }
}
