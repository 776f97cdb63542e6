//! Numbers below 64, which is enough for every field of a clock and a calendar.

/// The numbers that a field allows, one bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Set(u64);

impl Set {
    pub fn insert(&mut self, number: u8) {
        debug_assert!(number < 64, "fields end at 59");
        self.0 |= 1 << number;
    }

    pub fn remove(&mut self, number: u8) {
        self.0 &= !(1 << number);
    }

    pub fn has(self, number: i8) -> bool {
        u8::try_from(number).is_ok_and(|number| number < 64 && self.0 & (1 << number) != 0)
    }

    pub fn iter(self) -> impl Iterator<Item = i8> + Clone {
        (0..64).filter(move |number| self.has(*number))
    }

    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The only number, if there is just one.
    pub fn only(self) -> Option<i8> {
        (self.len() == 1).then(|| self.iter().next()).flatten()
    }
}
