//! Stamps of what a robot says. Whoever has recorded what a robot signed can put it again, so it counts only under a
//! stamp that is not old and was not there before.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use robot::{Instant, Sample};

use crate::lock::lock;

/// Battery and other status values are shown as stale after this,
/// milliseconds; what is older when it arrives tells nothing.
pub const STATUS_MAX_AGE_MS: u64 = 3_000;
/// Keys whose stamps are kept. Only what the robot has signed takes a place.
const KEYS_MAX: usize = 1_000;

/// The newest stamp of each key: of a whole robot, or as one listener has taken them.
#[derive(Debug, Default)]
pub struct Stamps(Mutex<BTreeMap<Arc<str>, Newest>>);

/// The newest stamp of one key, Unix milliseconds, and the start of the robot's gate it belongs to.
#[derive(Debug, Clone, Copy)]
struct Newest {
    boot: Option<u64>,
    stamp_ms: i64,
}

/// The reason for which a sample says nothing about now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotNew {
    /// Its robot signs, and it has no stamp: it could be a recording.
    NoStamp,
    /// Its stamp is older than such values may be.
    TooOld,
    /// Its robot signs, and its stamp lies ahead of every clock: it would be new again when that time has come.
    Ahead,
    /// Its stamp was there before, or one that is newer.
    Repeated,
    /// The robot signs more keys than stamps are kept of.
    TooManyKeys,
}

/// The bounds of stamps that are accepted, and the clocks they are compared with.
pub struct Ages {
    /// Greatest age of a stamp, milliseconds.
    pub max_ms: u64,
    /// Milliseconds by which a stamp may be ahead of its arrival before it counts as wrong.
    pub ahead_ms: u32,
    /// The arrival by a wall clock that nobody sets, Unix milliseconds.
    pub steady_ms: i64,
    /// Only a stamp tells a signed sample from a recorded one, so a robot that signs must stamp.
    pub signed: bool,
    /// The number of starts that the robot's gate last reported.
    pub boot: Option<u64>,
}

impl Stamps {
    /// When a sample was true, for a listener that has taken these stamps. The stamps of a robot that signs only rise:
    /// for each listener, and for a new one from where the others are, as `of_robot` knows. A gate that was started
    /// anew may have another clock, and says so under a nonce that nobody could record.
    pub fn observed(
        &self,
        of_robot: &Self,
        sample: &Sample,
        stamp_ms: Option<i64>,
        ages: &Ages,
    ) -> Result<Instant, NotNew> {
        let observed = observed_at(sample, stamp_ms, ages)?;
        let Some(stamp_ms) = stamp_ms else { return Ok(observed) };
        let newest = Newest { boot: ages.boot, stamp_ms };
        // Without signatures a stamp can be forged; it only tells a sample from its own repetition.
        self.renew(&sample.key_expr, newest, |known| if ages.signed { stamp_ms > known } else { stamp_ms != known })?;
        if ages.signed {
            // Every listener takes the same sample, so an equal stamp is no repetition for the robot as a whole.
            of_robot.renew(&sample.key_expr, newest, |known| stamp_ms >= known)?;
        }
        Ok(observed)
    }

    /// Keeps a stamp if it `is_new`, compared with the one that is known of this start of the gate.
    fn renew(&self, key_expr: &Arc<str>, newest: Newest, is_new: impl Fn(i64) -> bool) -> Result<(), NotNew> {
        let mut known = lock(&self.0);
        if let Some(known) = known.get_mut(key_expr) {
            if known.boot == newest.boot && !is_new(known.stamp_ms) {
                return Err(NotNew::Repeated);
            }
            *known = newest;
            return Ok(());
        }
        if known.len() >= KEYS_MAX {
            return Err(NotNew::TooManyKeys);
        }
        known.insert(Arc::clone(key_expr), newest);
        Ok(())
    }
}

/// When a sample's value was true: its own stamp, or, unless its robot signs, its arrival if it has none or the stamp
/// lies ahead. A recording made while the robot's clock was ahead would otherwise be new until that time has come. A
/// stamp is too old if it is so by the wall clock and by the one that nobody sets: the robot may follow either, so a
/// wall clock that jumps makes nothing stale.
fn observed_at(sample: &Sample, stamp_ms: Option<i64>, ages: &Ages) -> Result<Instant, NotNew> {
    let by_arrival = |refusal| if ages.signed { Err(refusal) } else { Ok(sample.received) };
    let Some(stamp_ms) = stamp_ms else { return by_arrival(NotNew::NoStamp) };
    let arrivals_ms = [sample.received_ms, ages.steady_ms];
    let age_ms = arrivals_ms.map(|arrival_ms| arrival_ms.saturating_sub(stamp_ms));
    let credible = age_ms.into_iter().filter(|age_ms| *age_ms >= -i64::from(ages.ahead_ms));
    // Ahead by both clocks, it is wrong by both.
    let Some(age_ms) = credible.min() else { return by_arrival(NotNew::Ahead) };
    let age_ms = u64::try_from(age_ms).unwrap_or(0);
    if age_ms > ages.max_ms {
        return Err(NotNew::TooOld);
    }
    Ok(sample.received.minus(Duration::from_millis(age_ms)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGES: Ages = Ages { max_ms: 500, ahead_ms: 100, steady_ms: 1_000_000, signed: false, boot: None };

    fn sample(received_ms: i64) -> Sample {
        Sample {
            key_expr: "lab/arm-1/out/state/pose".into(),
            encoding: "".into(),
            payload: Arc::from(&b""[..]),
            stamp_ms: None,
            received: Instant::from_millis(10_000),
            received_ms,
            n: 0,
        }
    }

    #[test]
    fn t2_an_old_stamp_never_refreshes_what_is_known_and_one_from_the_future_counts_from_its_arrival() {
        assert_eq!(observed_at(&sample(1_000_000), Some(999_400), &AGES), Err(NotNew::TooOld));
        assert_eq!(observed_at(&sample(1_000_000), Some(999_900), &AGES), Ok(Instant::from_millis(9_900)));
        assert_eq!(observed_at(&sample(1_000_000), None, &AGES), Ok(Instant::from_millis(10_000)));
        let signed = Ages { signed: true, ..AGES };
        assert_eq!(observed_at(&sample(1_000_000), None, &signed), Err(NotNew::NoStamp), "it could be a recorded one");
        assert_eq!(observed_at(&sample(1_000_000), Some(1_600_000), &AGES), Ok(Instant::from_millis(10_000)));
        assert_eq!(observed_at(&sample(1_000_000), Some(1_000_100), &signed), Ok(Instant::from_millis(10_000)));
        assert_eq!(
            observed_at(&sample(1_000_000), Some(1_000_101), &signed),
            Err(NotNew::Ahead),
            "a recording of the future"
        );
    }

    #[test]
    fn att_17_recordings_of_what_a_robot_signed_are_not_new_however_they_alternate() {
        let signed = Ages { signed: true, boot: Some(1), ..AGES };
        let outcomes = |ages: &Ages, stamps_ms: &[i64]| {
            let (stamps, of_robot) = (Stamps::default(), Stamps::default());
            let is_new = |stamp_ms: &i64| stamps.observed(&of_robot, &sample(1_000_000), Some(*stamp_ms), ages).is_ok();
            stamps_ms.iter().map(is_new).collect::<Vec<_>>()
        };
        let alternating = [999_900, 999_950, 999_900, 999_950, 999_951];
        assert_eq!(outcomes(&signed, &alternating), [true, true, false, false, true]);
        assert_eq!(outcomes(&AGES, &[999_900, 999_900, 999_950]), [true, false, true], "a sensor that stands still");
        let glitch = [1_600_000, 999_900, 999_950];
        assert_eq!(outcomes(&signed, &glitch), [false, true, true], "one stamp ahead does not shut out the rest");
    }

    #[test]
    fn a_gate_that_was_started_anew_may_have_another_clock() {
        let (stamps, of_robot) = (Stamps::default(), Stamps::default());
        let boot = |boot| Ages { signed: true, boot: Some(boot), ..AGES };
        let is_new = |stamp_ms, boot| stamps.observed(&of_robot, &sample(1_000_000), Some(stamp_ms), &boot).is_ok();
        let outcomes = [is_new(999_950, boot(1)), is_new(999_800, boot(1)), is_new(999_800, boot(2))];
        assert_eq!((outcomes, is_new(999_800, boot(2))), ([true, false, true], false));
    }

    #[test]
    fn t3_a_wall_clock_that_jumps_an_hour_or_a_leap_second_makes_nothing_stale() {
        let (before_ms, received) = (1_000_000_i64, Instant::from_millis(10_000));
        for jump_ms in [3_600_000, -3_600_000, 1_000, -1_000] {
            let arrives = sample(before_ms + jump_ms);
            // A robot with a clock of its own, and one that jumps together with the station.
            for stamp_ms in [before_ms, before_ms + jump_ms] {
                assert_eq!(observed_at(&arrives, Some(stamp_ms), &AGES), Ok(received), "{jump_ms} {stamp_ms}");
            }
            let old_ms = before_ms.min(before_ms + jump_ms) - 501;
            assert_eq!(
                observed_at(&arrives, Some(old_ms), &AGES),
                Err(NotNew::TooOld),
                "{jump_ms}: old by both clocks"
            );
        }
    }

    #[test]
    fn att_17_a_listener_that_is_new_takes_no_recording_of_what_others_have_heard() {
        let ages = Ages { signed: true, boot: Some(1), ..AGES };
        let (first, second, of_robot) = (Stamps::default(), Stamps::default(), Stamps::default());
        let hears = |listener: &Stamps, stamp_ms| {
            listener.observed(&of_robot, &sample(1_000_000), Some(stamp_ms), &ages).map(|_| ())
        };
        assert_eq!([hears(&first, 999_900), hears(&first, 999_950)], [Ok(()), Ok(())]);
        assert_eq!(hears(&second, 999_900), Err(NotNew::Repeated), "the robot has said something newer");
        assert_eq!(hears(&second, 999_950), Ok(()), "the newest comes to every listener");
        assert_eq!(hears(&second, 999_950), Err(NotNew::Repeated));
    }

    #[test]
    fn att_18_keys_whose_stamps_are_not_kept_are_not_read() {
        let ages = Ages { signed: true, ..AGES };
        let (stamps, of_robot) = (Stamps::default(), Stamps::default());
        let hears = |n: usize| {
            let sample = Sample { key_expr: format!("lab/arm-1/out/state/{n}").into(), ..sample(1_000_000) };
            stamps.observed(&of_robot, &sample, Some(1_000_000), &ages).map(|_| ())
        };
        assert!((0..KEYS_MAX).all(|n| hears(n).is_ok()));
        assert_eq!(hears(KEYS_MAX), Err(NotNew::TooManyKeys));
    }
}
