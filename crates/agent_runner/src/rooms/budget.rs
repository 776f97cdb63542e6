//! Limit on a room's messages that are looked at: testing signatures is work that anybody on the network can cause.

use std::sync::Mutex;
use std::time::Duration;

use robot::Instant;

use runtime::lock::lock;

/// Messages of one room that are looked at within [`WITHIN`]; a room may have twenty a minute.
const LOOKS_MAX: u32 = 20;
const WITHIN: Duration = Duration::from_secs(1);

/// Start of the present second, and the looks taken in it.
#[derive(Debug, Default)]
pub(super) struct Budget(Mutex<(Instant, u32)>);

impl Budget {
    /// Counts one more look, or says no.
    pub fn admit(&self, now: Instant) -> bool {
        let mut budget = lock(&self.0);
        let (began, looks) = *budget;
        // A window that begins with its first message needs no list of times.
        *budget = if now.since(began) >= WITHIN { (now, 1) } else { (began, looks.saturating_add(1)) };
        budget.1 <= LOOKS_MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c_06_of_a_flood_twenty_messages_a_second_are_looked_at() {
        let (budget, at) = (Budget::default(), Instant::from_millis);
        let admitted = |from: u64| (0..500).filter(|n| budget.admit(at(from + n))).count();
        assert_eq!((admitted(10_000), admitted(10_500)), (20, 0));
        assert_eq!(admitted(11_000), 20);
    }
}
