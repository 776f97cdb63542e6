//! Time limit of judging. The time this thread worked counts, so that a busy machine denies nothing that was judged in
//! time; a command that had to wait too long for its turn is refused at sending, because approvals expire.

use std::time::Duration;

/// So many late judgements in a row hold the robot.
const LATE_MAX: u32 = 3;

/// Rating of the time that a judgement took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judging {
    InTime,
    Late,
    /// Late once too often.
    TooSlow,
}

/// Counts a judgement that took `took`, and may take `deadline`.
pub(super) fn count(late_in_row: &mut u32, took: Duration, deadline: Duration) -> Judging {
    if took <= deadline {
        *late_in_row = 0;
        return Judging::InTime;
    }
    *late_in_row = late_in_row.saturating_add(1);
    if *late_in_row >= LATE_MAX { Judging::TooSlow } else { Judging::Late }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f2_a_late_judgement_is_denied_and_the_third_in_a_row_is_too_slow() {
        use Judging::{InTime, Late, TooSlow};
        let mut late_in_row = 0;
        let took_us = [900, 1_000, 1_001, 2_000, 500, 1_001, 1_001, 1_001, 9_000, 10];
        let counted = took_us.map(|us| count(&mut late_in_row, Duration::from_micros(us), Duration::from_millis(1)));
        assert_eq!(counted, [InTime, InTime, Late, Late, InTime, Late, Late, TooSlow, TooSlow, InTime]);
    }
}
