//! What functions that print read, where every access is checked: the texts among their arguments.

use super::external::External;
use super::procedure::Lowering;
use program::expr::Expr;
use program::ir::{ObjectId, Property};

impl<'a> Lowering<'_, 'a> {
    /// Checks that the texts a format prints can be read, where that is asked for. Whether all that
    /// is read through the arguments has been checked.
    pub(super) fn check_printed(
        &mut self,
        format: &Expr,
        further: &[Expr],
        call: &External<'a>,
    ) -> bool {
        if !self.cx.checks(Property::Dereference) {
            return true;
        }
        let Expr::Object(object) = *format else {
            return false;
        };
        let Some(texts) = self.literal(object).and_then(texts) else {
            return false;
        };
        if call.varargs.is_some() || texts.iter().any(|&index| index >= further.len()) {
            return false;
        }
        for index in texts {
            self.check_text(&further[index], call);
        }
        true
    }

    /// Checks that a text can be read up to its end: as `strlen` reads it.
    pub(super) fn check_text(&mut self, text: &Expr, call: &External<'a>) {
        if !self.cx.checks(Property::Dereference) {
            return;
        }
        self.call_written("strlen", std::slice::from_ref(text), &call.unwanted());
    }

    /// The bytes of a string literal before its end.
    fn literal(&self, object: ObjectId) -> Option<&[u8]> {
        let object = &self.cx.program.objects[object];
        let end = object.init.bytes.iter().position(|&byte| byte == 0)?;
        object.read_only.then_some(&object.init.bytes[..end])
    }
}

/// Which of the further arguments a format prints as whole texts; nothing if it reads or writes
/// through one in another way.
fn texts(format: &[u8]) -> Option<Vec<usize>> {
    let mut texts = Vec::new();
    let mut next = 0;
    let mut bytes = format.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            continue;
        }
        let (mut is_cut, mut is_wide) = (false, false);
        loop {
            match bytes.next()? {
                b'*' => next += 1,
                b'.' => is_cut = true,
                b'l' => is_wide = true,
                b'-'
                | b'+'
                | b' '
                | b'#'
                | b'0'..=b'9'
                | b'h'
                | b'j'
                | b'z'
                | b't'
                | b'L'
                | b'q' => {}
                b'%' => break,
                b's' if is_cut || is_wide => return None,
                b's' => {
                    texts.push(next);
                    next += 1;
                    break;
                }
                b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b'p' | b'e' | b'E' | b'f'
                | b'F' | b'g' | b'G' | b'a' | b'A' => {
                    next += 1;
                    break;
                }
                _ => return None,
            }
        }
    }
    Some(texts)
}

#[cfg(test)]
mod tests {
    use super::texts;

    #[test]
    fn texts_of_a_format_are_found() {
        let cases: [(&str, Option<Vec<usize>>); 7] = [
            ("no", Some(vec![])),
            ("%d %s 100%% %5lu %-8s\n", Some(vec![1, 3])),
            ("%*d%s", Some(vec![2])),
            ("%.3s", None),
            ("%ls", None),
            ("%n", None),
            ("%", None),
        ];
        for (format, expected) in cases {
            assert_eq!(texts(format.as_bytes()), expected, "{format}");
        }
    }
}
