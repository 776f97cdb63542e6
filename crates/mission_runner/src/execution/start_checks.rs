//! The checks of starts that are under way, so that a later one of the same mission ends an earlier.

use std::collections::BTreeMap;

use robot::MissionId;
use tokio_util::sync::CancellationToken;

/// The newest check of the start of each mission.
#[derive(Default)]
pub(crate) struct Checks(BTreeMap<MissionId, CancellationToken>);

impl Checks {
    /// Begins a check, which ends the one before: that was of another text, or of another time.
    pub fn begin(&mut self, id: &MissionId) -> CancellationToken {
        let check = CancellationToken::new();
        if let Some(before) = self.0.insert(id.clone(), check.clone()) {
            before.cancel();
        }
        check
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ml_15_a_check_that_begins_ends_the_one_before_it_and_no_other() {
        let [weld, patrol] = ["weld", "patrol"].map(|id| MissionId::new(id).unwrap());
        let mut checks = Checks::default();
        let (first, other) = (checks.begin(&weld), checks.begin(&patrol));
        assert!(!first.is_cancelled());
        let second = checks.begin(&weld);
        assert_eq!([&first, &second, &other].map(CancellationToken::is_cancelled), [true, false, false]);
    }
}
