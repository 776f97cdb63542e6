//! Starters of the runs of a mission: looked at again and again while it is live or in a run. Pure: the time and the
//! truth of a predicate go in, and what the starter does comes out.

use std::time::Duration;

use robot::{Instant, Now};
use serde::{Deserialize, Serialize};
use world::cron::Zone;
use world::predicate::Truth;

use crate::format::front::Trigger;

/// Two starts by one predicate are at least this far apart.
const WHEN_GAP: Duration = Duration::from_secs(60);
/// A time of cron text that was not seen for so long was missed, and is not caught up with.
const LATE_MS_MAX: i64 = 60_000;
/// A start that lies so far ahead was noted by a clock that was wrong.
const AHEAD_MS_MAX: i64 = 86_400_000;

/// The firings of a trigger since the activation, as they are kept on disk.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Fired {
    /// When it last started a run, UTC milliseconds.
    pub last_ms: Option<i64>,
    /// Number of times that it fired and started nothing.
    pub dropped: u32,
}

/// The outcome of a look at a trigger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Firing {
    /// Nothing.
    Rests,
    /// It fires.
    Fires,
    /// Its only time had passed at the first look: a person says whether the run begins.
    Missed,
    /// It would fire, and has done so too short a time ago.
    TooSoon,
}

/// Memory of a trigger between two looks. One that is made anew has seen nothing.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    began_ms: Option<i64>,
    looked_ms: i64,
    next_ms: Option<i64>,
    edge: Edge,
    fired_at: Option<Instant>,
}

/// The place of a predicate among its edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Edge {
    /// It does not hold; the next truth is an edge.
    #[default]
    Clear,
    /// It holds, or held before it became unknown.
    Active,
}

impl Trigger {
    /// Looks at the trigger. `truth` is that of its predicate, if it has one.
    pub fn look(&self, fired: &Fired, watch: &mut Watch, zone: &Zone, now: Now, truth: Option<Truth>) -> Firing {
        let began_ms = *watch.began_ms.get_or_insert(now.wall_ms);
        match self {
            Self::Immediate if fired.last_ms.is_none() => Firing::Fires,
            Self::Immediate | Self::Spawn => Firing::Rests,
            Self::At(time) => match time.ms_in(zone) {
                // `last_ms` is on disk, so a restart does not let the one time fire again.
                Some(at_ms) if fired.last_ms.is_none() && at_ms <= now.wall_ms => {
                    // It lay in the past at the first look: the station was down or the mission not live then.
                    if at_ms < began_ms { Firing::Missed } else { Firing::Fires }
                }
                Some(_) | None => Firing::Rests,
            },
            Self::Cron(cron) => watch.is_due(fired, now.wall_ms, |after_ms| cron.next_after(zone, after_ms)),
            Self::When { once, .. } => {
                // The edge is taken even if it may not fire, or the same truth would fire later.
                let is_edge = watch.passes_edge(truth.unwrap_or(Truth::Unknown));
                if !is_edge || (*once && fired.last_ms.is_some()) { Firing::Rests } else { watch.paced(fired, now) }
            }
        }
    }

    /// The next time at which it fires by itself, UTC milliseconds, if that can be said.
    #[must_use]
    pub fn next_ms(&self, fired: &Fired, zone: &Zone, now: Now) -> Option<i64> {
        match self {
            Self::Cron(cron) => cron.next_after(zone, now.wall_ms),
            Self::At(time) => time.ms_in(zone).filter(|_| fired.last_ms.is_none()),
            Self::Immediate | Self::Spawn | Self::When { .. } => None,
        }
    }
}

impl Watch {
    /// True once for each time of a schedule. A clock that is set back does not bring a time again.
    fn is_due(&mut self, fired: &Fired, now_ms: i64, next_after: impl Fn(i64) -> Option<i64>) -> Firing {
        let is_set_back = now_ms < self.looked_ms;
        // A watch that begins knows no time before it: what fell into a pause or a restart is not caught up with.
        let is_new = self.looked_ms == 0;
        self.looked_ms = now_ms;
        if is_new || is_set_back {
            self.next_ms = next_after(now_ms);
            return Firing::Rests;
        }
        let Some(due_ms) = self.next_ms.filter(|due_ms| *due_ms <= now_ms) else { return Firing::Rests };
        self.next_ms = next_after(now_ms);
        // A start far ahead was noted by a wrong clock; without the bound it would block all times until then.
        let was_before = |last_ms: i64| due_ms <= last_ms && last_ms < due_ms.saturating_add(AHEAD_MS_MAX);
        if now_ms.saturating_sub(due_ms) > LATE_MS_MAX || fired.last_ms.is_some_and(was_before) {
            return Firing::Rests;
        }
        Firing::Fires
    }

    /// True if the predicate has become true. Unknown is no change: true again after it is no edge.
    fn passes_edge(&mut self, truth: Truth) -> bool {
        let before = self.edge;
        match truth {
            Truth::True => self.edge = Edge::Active,
            Truth::False => self.edge = Edge::Clear,
            Truth::Unknown => {}
        }
        before == Edge::Clear && self.edge == Edge::Active
    }

    fn paced(&mut self, fired: &Fired, now: Now) -> Firing {
        let gap_ms = i64::try_from(WHEN_GAP.as_millis()).unwrap_or(i64::MAX);
        let is_soon = match self.fired_at {
            Some(at) => now.station.since(at) < WHEN_GAP,
            // It fired before this watch began.
            None => fired.last_ms.is_some_and(|last_ms| (0..gap_ms).contains(&now.wall_ms.saturating_sub(last_ms))),
        };
        if is_soon {
            return Firing::TooSoon;
        }
        // By the station clock, which nobody sets: a jump of the wall clock neither blocks nor repeats a start.
        self.fired_at = Some(now.station);
        Firing::Fires
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    const MINUTE_MS: i64 = 60_000;
    const HOUR_MS: i64 = 60 * MINUTE_MS;

    fn trigger(text: &str) -> Trigger {
        let parsed = parse(format!("---\ntriggers: [{text}]\n---\n").as_bytes());
        assert_eq!(parsed.errors().count(), 0, "{:?}", parsed.problems);
        parsed.front.triggers[0].value.clone()
    }

    /// A trigger that is looked at, with what is kept of it.
    struct Rig {
        trigger: Trigger,
        fired: Fired,
        watch: Watch,
        station_ms: u64,
    }

    impl Rig {
        fn of(text: &str) -> Self {
            Self { trigger: trigger(text), fired: Fired::default(), watch: Watch::default(), station_ms: 0 }
        }

        fn at(&mut self, wall_ms: i64, truth: Option<Truth>) -> Firing {
            let now = Now { station: Instant::from_millis(self.station_ms), wall_ms };
            let firing = self.trigger.look(&self.fired, &mut self.watch, &Zone::utc(), now, truth);
            if firing == Firing::Fires {
                self.fired.last_ms = Some(wall_ms);
            }
            firing
        }

        /// A look after so many milliseconds of the station clock.
        fn after(&mut self, ms: u64, truth: Truth) -> Firing {
            self.station_ms += ms;
            self.at(i64::try_from(self.station_ms).unwrap(), Some(truth))
        }
    }

    #[test]
    fn ml_13_a_time_of_cron_text_fires_once_and_none_that_was_missed_is_caught_up() {
        let mut rig = Rig::of("{cron: '0 * * * *'}");
        let begin = HOUR_MS - 1_000;
        assert_eq!(rig.at(begin, None), Firing::Rests);
        assert_eq!(rig.at(HOUR_MS, None), Firing::Fires);
        assert_eq!(rig.at(HOUR_MS + 500, None), Firing::Rests);
        assert_eq!(rig.at(2 * HOUR_MS + MINUTE_MS + 1, None), Firing::Rests, "the computer slept over it");
        assert_eq!(rig.at(3 * HOUR_MS + 400, None), Firing::Fires);
        rig.watch = Watch::default();
        assert_eq!(rig.at(4 * HOUR_MS + 1, None), Firing::Rests, "it was not live at the time");
        assert_eq!(rig.at(5 * HOUR_MS, None), Firing::Fires);
    }

    #[test]
    fn ml_13_a_wall_clock_that_is_set_starts_nothing_and_brings_no_time_again() {
        let mut rig = Rig::of("{cron: '0 * * * *'}");
        rig.at(HOUR_MS - 1_000, None);
        assert_eq!(rig.at(HOUR_MS + 100, None), Firing::Fires);
        assert_eq!(rig.at(HOUR_MS - 1_000, None), Firing::Rests, "set back");
        assert_eq!(rig.at(HOUR_MS, None), Firing::Rests, "this time has come before");
        assert_eq!(rig.at(2 * HOUR_MS, None), Firing::Fires);
        assert_eq!(rig.at(9 * HOUR_MS + 30 * MINUTE_MS, None), Firing::Rests, "set on");
        // A clock that was years ahead does not silence the trigger.
        rig.fired.last_ms = Some(10_000 * HOUR_MS);
        assert_eq!(rig.at(MINUTE_MS, None), Firing::Rests);
        assert_eq!(rig.at(HOUR_MS, None), Firing::Fires);
    }

    #[test]
    fn ml_13_a_predicate_fires_on_its_edge_and_not_twice_within_a_minute() {
        let mut rig = Rig::of("{when: gate.status = 'open'}");
        assert_eq!(rig.after(0, Truth::Unknown), Firing::Rests, "what is unknown starts nothing");
        assert_eq!(rig.after(500, Truth::True), Firing::Fires);
        assert_eq!(rig.after(500, Truth::True), Firing::Rests, "it stays true");
        rig.after(500, Truth::Unknown);
        assert_eq!(rig.after(500, Truth::True), Firing::Rests, "it was only not known");
        rig.after(500, Truth::False);
        assert_eq!(rig.after(500, Truth::True), Firing::TooSoon);
        rig.after(500, Truth::False);
        assert_eq!(rig.after(57_499, Truth::True), Firing::Fires);
        rig.watch = Watch::default();
        assert_eq!(rig.after(1_000, Truth::True), Firing::TooSoon, "a restart shortens nothing");
    }

    #[test]
    fn ml_13_what_fires_once_fires_once_in_an_activation() {
        let mut first = Rig::of("{when: gate.status = 'open', once: true}");
        assert_eq!(first.after(0, Truth::True), Firing::Fires);
        first.after(100_000, Truth::False);
        assert_eq!(first.after(1_000, Truth::True), Firing::Rests);
        let mut immediate = Rig::of("immediate");
        assert_eq!((immediate.at(5, None), immediate.at(6, None)), (Firing::Fires, Firing::Rests));
        let mut spawned = Rig::of("spawn");
        assert_eq!(spawned.at(5, None), Firing::Rests);
        let mut timed = Rig::of("{at: 1970-01-01T01:00:00Z}");
        assert_eq!((timed.at(5, None), timed.at(HOUR_MS, None)), (Firing::Rests, Firing::Fires));
        assert_eq!(timed.at(HOUR_MS + 1, None), Firing::Rests);
        let mut late = Rig::of("{at: 1970-01-01T01:00:00Z}");
        assert_eq!(late.at(HOUR_MS + 1, None), Firing::Missed, "a person is asked about a time that was missed");
    }
}
