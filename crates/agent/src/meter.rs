//! Bounds of a turn: calls, time, context and money are meters of one kind, with one warning and one end.

use crate::{MeterName, Ratio};

/// Money runs low at this share, whatever the policy says of other meters.
const MONEY_WARNS_AT: Ratio = Ratio::percent(80);

/// One bounded thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Meter {
    pub name: MeterName,
    /// Calls, milliseconds, tokens or micro-dollars.
    pub used: u64,
    /// From here on the model is warned; none if it never is.
    pub soft: Option<u64>,
    /// Here it ends.
    pub hard: u64,
}

/// Level of a meter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Fine,
    Warn,
    Final,
}

impl Meter {
    /// `used` of `hard`, with a warning from this share on.
    pub const fn new(name: MeterName, used: u64, hard: u64, warn_at: Option<Ratio>) -> Self {
        let soft = match warn_at {
            Some(share) => Some(share.ceil_of(hard)),
            None => None,
        };
        Self { name, used, soft, hard }
    }

    /// Micro-dollars.
    pub const fn of_money(name: MeterName, used: u64, hard: u64) -> Self {
        Self::new(name, used, hard, Some(MONEY_WARNS_AT))
    }

    /// The end beats the warning.
    pub fn level(&self) -> Level {
        if self.used >= self.hard {
            Level::Final
        } else if self.soft.is_some_and(|soft| self.used >= soft) {
            Level::Warn
        } else {
            Level::Fine
        }
    }

    fn words(&self) -> String {
        let Self { used, hard, .. } = self;
        // A limit may be 0: spending that cannot be read counts against such a one (decision 0047).
        let percent = used.saturating_mul(100) / (*hard).max(1);
        match self.name {
            MeterName::Calls => format!("this is call {used} of {hard}"),
            MeterName::Wall => format!("{percent} % of the time is used"),
            MeterName::Context => format!("{percent} % of the context is used"),
            MeterName::Turn => format!("{percent} % of this turn's budget is spent"),
            MeterName::Mission => format!("{percent} % of the mission's budget is spent"),
            MeterName::Day => format!("{percent} % of the day's budget is spent"),
        }
    }
}

/// One hint that names every meter that runs low.
pub(crate) fn warning(low: &[Meter]) -> Option<String> {
    if low.is_empty() {
        return None;
    }
    let words: Vec<String> = low.iter().map(Meter::words).collect();
    Some(format!("[Budget] Come to an answer: {}.", words.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The calls of a whole turn, as letters: fine, warn, final.
    fn check(calls: u64, expected: &str) {
        let levels: String = (1..=calls)
            .map(|call| match Meter::new(MeterName::Calls, call, calls, Some(Ratio::percent(80))).level() {
                Level::Fine => '.',
                Level::Warn => 'w',
                Level::Final => 'F',
            })
            .collect();
        assert_eq!(levels, expected, "{calls} calls");
    }

    #[test]
    fn l_30_h_04_a_meter_warns_before_its_end_and_never_with_it() {
        check(12, ".........wwF");
        check(5, "...wF");
        check(2, ".F");
        check(1, "F");
    }

    #[test]
    fn k_03_money_warns_at_four_fifths_and_ends_at_all_of_it() {
        let level = |used| Meter::of_money(MeterName::Day, used, 10_000).level();
        assert_eq!([7_999, 8_000, 9_999, 10_000].map(level), [Level::Fine, Level::Warn, Level::Warn, Level::Final]);
    }

    #[test]
    fn l_30_two_meters_that_run_low_give_one_hint() {
        let meter = |name, used, hard| Meter { name, used, soft: Some(0), hard };
        assert_eq!(warning(&[]), None);
        let low = [meter(MeterName::Calls, 10, 12), meter(MeterName::Context, 850, 1_000)];
        assert_eq!(
            warning(&low).unwrap(),
            "[Budget] Come to an answer: this is call 10 of 12, 85 % of the context is used."
        );
    }
}
