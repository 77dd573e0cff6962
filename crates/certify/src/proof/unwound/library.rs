//! The effect of library functions.

use super::births::First;
use super::explore::Unwinder;
use super::memory::Made;
use super::state::{Cell, State, Value};
use logic::{BitId, BitOp, BitStore};
use program::expr::{Constant, Type};
use program::ir::{Call, Library};

/// Bytes that a function may go through where the count is not known.
const MOST: u64 = 64;
/// Bytes that are described of an object whose size is not known.
const ROOM: u64 = 256;
/// Bytes of the largest object whose size is not known: every machine can allocate that.
const LARGEST_VARIABLE: u64 = 1 << 24;

/// An address.
type At = (BitId, BitId);

impl Unwinder<'_> {
    /// Calls a library function.
    pub(super) fn library(&mut self, state: &mut State, function: Library, call: &Call) {
        let always = BitStore::TRUE;
        let args: Vec<Value> = (call.args.iter())
            .map(|arg| self.expr(state, arg, always))
            .collect();
        self.assume_defined(state);
        let first = First::Unset(call.contents);
        let value = self.called(state, function, &args, first);
        self.assume_defined(state);
        if let (Some(var), Some(value)) = (call.result, value) {
            self.set(state, var, value);
        }
    }

    /// The value of a library function; an object that it makes is `first` so.
    fn called(
        &mut self,
        state: &mut State,
        function: Library,
        args: &[Value],
        first: First,
    ) -> Option<Value> {
        use Library::*;
        Some(match function {
            Malloc => self.allocate(state, args[0].bits(), true, first),
            Calloc => {
                let [count, size] = [args[0].bits(), args[1].bits()];
                // Of so few bits that the product fits.
                let half = self.offset((1 << (self.pointer_bits() / 2)) - 1);
                for factor in [count, size] {
                    let fits = self.at_most(factor, half);
                    let large = self.store.not(fits);
                    self.open("an allocation of very many bytes", large);
                }
                let bytes = self.store.binary(BitOp::Mul, count, size);
                self.allocate(state, bytes, true, First::Zero)
            }
            Alloca => self.allocate(state, args[0].bits(), false, first),
            Free => {
                let (object, offset) = args[0].address();
                let freeable = self.freeable(state, object, offset, BitStore::TRUE);
                self.defined_if(freeable, BitStore::TRUE);
                self.kill(state, object);
                return None;
            }
            Memset => {
                let byte = self.store.extract(0, 8, args[1].bits());
                self.fill(state, args[0].address(), byte, args[2].bits());
                args[0]
            }
            Memcpy | Memmove => {
                self.copy(state, args[0].address(), args[1].address(), args[2].bits());
                args[0]
            }
            Memcmp => {
                self.compare_bytes(state, args[0].address(), args[1].address(), args[2].bits())
            }
            Strlen => Value::Bits(self.text_length(state, args[0].address())),
            Strcmp => self.compare_texts(state, args[0].address(), args[1].address(), None),
            Strcpy => {
                let (to, from) = (args[0].address(), args[1].address());
                let length = self.text_length(state, from);
                let one = self.offset(1);
                let count = self.store.binary(BitOp::Add, length, one);
                self.copy(state, to, from, count);
                args[0]
            }
            Strcat => {
                let ((object, offset), from) = (args[0].address(), args[1].address());
                let before = self.text_length(state, (object, offset));
                let length = self.text_length(state, from);
                let one = self.offset(1);
                let count = self.store.binary(BitOp::Add, length, one);
                let end = self.store.binary(BitOp::Add, offset, before);
                self.copy(state, (object, end), from, count);
                args[0]
            }
            Tracked => self.tracked(state),
            Cleaned => self.cleaned(state),
            Printf | Puts | Putchar => self.any(Type::I32),
            Realloc => {
                let size = args[1].bits();
                let (object, offset) = args[0].address();
                let freeable = self.freeable(state, object, offset, BitStore::TRUE);
                self.defined_if(freeable, BitStore::TRUE);
                // Of no bytes it may be anything that C leaves to the library.
                let is_none = self.is_offset(size, 0);
                self.open("a reallocation of no bytes", is_none);
                let new = self.allocate(state, size, true, first);
                self.take_over(state, object, new.address().0);
                self.kill(state, object);
                new
            }
            Strncmp => {
                let (a, b) = (args[0].address(), args[1].address());
                self.compare_texts(state, a, b, Some(args[2].bits()))
            }
            Strncpy => {
                self.copy_text(state, args[0].address(), args[1].address(), args[2].bits());
                args[0]
            }
            Strchr => {
                let byte = self.store.extract(0, 8, args[1].bits());
                self.find_in_text(state, args[0].address(), byte)
            }
            Math(math, ty) if let Some(value) = self.math(math, ty, args) => value,
            Sprintf | Snprintf | Frexp(_) | Modf(_) | Math(..) => {
                let what = format!("the library function `{}`", function.name());
                match function.signature(self.program).ret {
                    Some(ty) => self.open_value(&what, ty, BitStore::TRUE),
                    None => {
                        self.open(&what, BitStore::TRUE);
                        return None;
                    }
                }
            }
        })
    }

    /// A new object of so many bytes.
    fn allocate(&mut self, state: &mut State, bytes: BitId, heap: bool, first: First) -> Value {
        let constant = self.store.as_constant(bytes);
        if constant.is_none() {
            let largest = self.offset(LARGEST_VARIABLE);
            let fits = self.at_most(bytes, largest);
            let large = self.store.not(fits);
            self.open("an allocation of very many bytes", large);
        }
        let few = self.constants(bytes).and_then(|all| all.into_iter().max());
        let few = constant.or(few.filter(|&most| most <= u128::from(ROOM)));
        let made = Made {
            size: few.map_or(ROOM, |bytes| u64::try_from(bytes).unwrap_or(u64::MAX)),
            variable_size: constant.is_none().then_some(bytes),
            writable: true,
            heap,
            literal: false,
        };
        let number = self.create(state, made, first);
        if !heap {
            state.frame_mut().allocated.push(number);
        }
        Value::Address(self.number(number), self.offset(0))
    }

    /// How many bytes a count may be at most, as long as they fit the objects; no more than we
    /// want to go through.
    fn most(&mut self, count: BitId, objects: &[BitId]) -> u64 {
        let fits = objects.iter().map(|&object| self.largest(object)).min();
        let fits = fits.unwrap_or(0);
        if let Some(all) = self.constants(count) {
            let most = all.into_iter().max().unwrap_or(0);
            return u64::try_from(most).unwrap_or(u64::MAX).min(fits);
        }
        if fits > MOST {
            let most = self.offset(MOST);
            let few = self.at_most(count, most);
            let many = self.store.not(few);
            self.open("an operation on many bytes", many);
        }
        fits.min(MOST)
    }

    /// Undefined unless so many bytes, if any, are there.
    fn need(&mut self, state: &State, at: At, count: BitId, write: bool) {
        let zero = self.offset(0);
        let some = self.store.differ(count, zero);
        let valid = self.valid(state, at, count, write, some);
        self.defined_if(valid, some);
    }

    fn moved(&mut self, (object, offset): At, by: u64) -> At {
        let by = self.offset(by);
        (object, self.store.binary(BitOp::Add, offset, by))
    }

    fn fill(&mut self, state: &mut State, to: At, byte: BitId, count: BitId) {
        self.need(state, to, count, true);
        for index in 0..self.most(count, &[to.0]) {
            let at = self.moved(to, index);
            let index = self.offset(index);
            let counts = self.below(index, count);
            self.put(state, at, &[Cell::Bits(byte)], counts);
        }
    }

    fn copy(&mut self, state: &mut State, to: At, from: At, count: BitId) {
        self.need(state, from, count, false);
        self.need(state, to, count, true);
        let most = self.most(count, &[to.0, from.0]);
        let mut cells = Vec::new();
        for index in 0..most {
            let at = self.moved(from, index);
            let index = self.offset(index);
            let counts = self.below(index, count);
            cells.push((self.get(state, at, counts), counts));
        }
        // All are read before one is written: places may overlap.
        for (index, (cell, counts)) in cells.into_iter().enumerate() {
            let at = self.moved(to, index as u64);
            self.put(state, at, &[cell], counts);
        }
    }

    /// A number of the sign that a comparison has.
    fn of_sign(&mut self, below: BitId, equal: BitId) -> Value {
        let any = self.store.fresh(32);
        let (zero, one) = (self.store.constant(32, 0), self.store.constant(32, 1));
        let sign = self.store.constant(32, 1 << 31);
        let negative = self.store.binary(BitOp::Or, any, sign);
        let magnitude = self.store.extract(0, 31, any);
        let magnitude = self.store.zero_extend(32, magnitude);
        let none = self.store.equal(magnitude, zero);
        let positive = self.store.ite(none, one, magnitude);
        let different = self.store.ite(below, negative, positive);
        Value::Bits(self.store.ite(equal, zero, different))
    }

    fn compare_bytes(&mut self, state: &State, a: At, b: At, count: BitId) -> Value {
        self.need(state, a, count, false);
        self.need(state, b, count, false);
        let most = self.most(count, &[a.0, b.0]);
        let (mut equal, mut below) = (BitStore::TRUE, BitStore::FALSE);
        for index in (0..most).rev() {
            let (x, y) = (self.moved(a, index), self.moved(b, index));
            let index = self.offset(index);
            let counts = self.below(index, count);
            let (x, y) = (self.get(state, x, counts), self.get(state, y, counts));
            let (x, y) = (self.byte(x, counts), self.byte(y, counts));
            let (same, less) = (self.store.equal(x, y), self.below(x, y));
            let both = self.store.and(same, equal);
            let first = self.store.ite(same, below, less);
            equal = self.store.ite(counts, both, equal);
            below = self.store.ite(counts, first, below);
        }
        self.of_sign(below, equal)
    }

    /// The bytes of a text up to its end, or no more than so many, each with the condition that the
    /// text goes so far; the end is undefined where it is outside of the object.
    fn text(&mut self, state: &State, text: At, most: Option<BitId>) -> Vec<(BitId, BitId)> {
        let mut bytes = Vec::new();
        let mut goes_on = BitStore::TRUE;
        let one = self.offset(1);
        for index in 0..=self.largest(text.0) {
            if let Some(most) = most {
                let place = self.offset(index);
                let counts = self.below(place, most);
                goes_on = self.store.and(goes_on, counts);
            }
            if goes_on == BitStore::FALSE {
                return bytes;
            }
            if index > MOST && self.store.as_constant(goes_on).is_none() {
                self.open("a long text", goes_on);
                return bytes;
            }
            let at = self.moved(text, index);
            let valid = self.valid(state, at, one, false, goes_on);
            self.defined_if(valid, goes_on);
            goes_on = self.store.and(goes_on, valid);
            let cell = self.get(state, at, goes_on);
            let byte = self.byte(cell, goes_on);
            bytes.push((byte, goes_on));
            let zero = self.store.constant(8, 0);
            let not = self.store.differ(byte, zero);
            goes_on = self.store.and(goes_on, not);
        }
        // No object is longer, so a text that has not ended is outside of all.
        self.undefined_if(goes_on, BitStore::TRUE);
        bytes
    }

    fn text_length(&mut self, state: &State, text: At) -> BitId {
        let bytes = self.text(state, text, None);
        let zero = self.store.constant(8, 0);
        let mut length = self.offset(0);
        for (index, (byte, reached)) in bytes.into_iter().enumerate().rev() {
            let here = self.offset(index as u64);
            let ends = self.store.equal(byte, zero);
            let ends = self.store.and(reached, ends);
            length = self.store.ite(ends, here, length);
        }
        length
    }

    fn compare_texts(&mut self, state: &State, a: At, b: At, most: Option<BitId>) -> Value {
        let (a, b) = (self.text(state, a, most), self.text(state, b, most));
        let zero = self.store.constant(8, 0);
        let (mut equal, mut below) = (BitStore::TRUE, BitStore::FALSE);
        let pairs: Vec<_> = a.into_iter().zip(b).collect();
        for (index, ((x, _), (y, _))) in pairs.into_iter().enumerate().rev() {
            let counts = match most {
                Some(most) => {
                    let place = self.offset(index as u64);
                    self.below(place, most)
                }
                None => BitStore::TRUE,
            };
            let (same, less) = (self.store.equal(x, y), self.below(x, y));
            let ends = self.store.equal(x, zero);
            let rest = self.store.or(ends, equal);
            let first = self.store.ite(same, below, less);
            let first = self.store.ite(ends, less, first);
            below = self.store.and(counts, first);
            let both = self.store.and(same, rest);
            equal = self.store.implies(counts, both);
        }
        self.of_sign(below, equal)
    }

    /// Copies a text, no more than so many bytes, and fills up with zeros.
    fn copy_text(&mut self, state: &mut State, to: At, from: At, count: BitId) {
        self.need(state, to, count, true);
        let bytes = self.text(state, from, Some(count));
        let zero = self.store.constant(8, 0);
        for index in 0..self.most(count, &[to.0]) {
            let byte = match bytes.get(index as usize) {
                Some(&(byte, reached)) => self.store.ite(reached, byte, zero),
                None => zero,
            };
            let at = self.moved(to, index);
            let index = self.offset(index);
            let counts = self.below(index, count);
            self.put(state, at, &[Cell::Bits(byte)], counts);
        }
    }

    /// The address of the first such byte of a text, its end included, or null.
    fn find_in_text(&mut self, state: &State, text: At, byte: BitId) -> Value {
        let bytes = self.text(state, text, None);
        let mut found = self.constant(Constant::Null);
        for (index, (other, reached)) in bytes.into_iter().enumerate().rev() {
            let same = self.store.equal(other, byte);
            let condition = self.store.and(reached, same);
            let (object, offset) = self.moved(text, index as u64);
            let here = Value::Address(object, offset);
            found = self.merging(condition).value(here, found);
        }
        found
    }
}
