//! Refusals that a host makes before an operation is reached: a caller that is not signed in, a place that may not ask,
//! a malformed request. They are on record too, but a flood of them is counted instead of written one by one.

use robot::Instant;

use super::{Audit, AuditEntry, AuditOrigin};
use crate::lock::lock;
use crate::session::Session;

/// Refusals of one minute that have a record of their own.
const RECORDS_A_MINUTE: u32 = 60;
/// A minute of the station clock, milliseconds.
const MINUTE_MS: u64 = 60_000;

/// Counts of refusals in the present minute.
#[derive(Debug, Default)]
pub(in crate::audit) struct HostRefusals {
    minute: u64,
    recorded: u32,
    unrecorded: u64,
}

impl HostRefusals {
    /// Number of refusals without a record before this one; `None` if this one has none either.
    fn admit(&mut self, now: Instant) -> Option<u64> {
        let minute = now.mono_ms() / MINUTE_MS;
        if minute != self.minute {
            (self.minute, self.recorded) = (minute, 0);
        }
        if self.recorded >= RECORDS_A_MINUTE {
            self.unrecorded = self.unrecorded.saturating_add(1);
            return None;
        }
        self.recorded += 1;
        Some(std::mem::take(&mut self.unrecorded))
    }
}

impl Audit {
    /// Records a host's refusal of `operation` for `by`, or for somebody who is not known.
    pub fn note_refused_by_host(&self, by: Option<&Session>, operation: &str, code: &str) {
        let Some(unrecorded) = lock(&self.host_refusals).admit(self.clock.now().station) else { return };
        let refused = match by {
            Some(session) => AuditEntry::refused_to(session, operation, code),
            None => AuditEntry::of("unknown".to_owned(), AuditOrigin::Program, operation, code),
        };
        let about = if unrecorded == 0 { String::new() } else { format!("{unrecorded} more before it") };
        if self.note_refusal(refused.about(about)).is_err() {
            tracing::warn!(code, "a refusal is not on record");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_counted_and_the_next_minute_tells_of_it() {
        let mut host_refusals = HostRefusals::default();
        let told: Vec<_> = (0..1_000).map(|n| host_refusals.admit(Instant::from_millis(MINUTE_MS + n))).collect();
        assert_eq!(told.iter().filter(|told| told.is_some()).count(), RECORDS_A_MINUTE as usize);
        assert_eq!(host_refusals.admit(Instant::from_millis(2 * MINUTE_MS)), Some(1_000 - u64::from(RECORDS_A_MINUTE)));
        assert_eq!(host_refusals.admit(Instant::from_millis(2 * MINUTE_MS + 1)), Some(0));
    }
}
