//! A value whose changes are counted: whoever has worked something out of it knows by the number whether that still
//! holds.

use std::ops::Deref;

/// A value with the number of its changes. It is changed through [`Numbered::change`] alone, so that none goes
/// uncounted.
#[derive(Debug, Default)]
pub(crate) struct Numbered<T> {
    changes: u64,
    value: T,
}

impl<T> Numbered<T> {
    /// The number of its changes so far.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// The value, to be changed.
    pub fn change(&mut self) -> &mut T {
        // Counted when it is handed out, so that no change of the value can be forgotten.
        self.changes += 1;
        &mut self.value
    }
}

impl<T> Deref for Numbered<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}
