//! Floods: so many alarms that nobody can look at each.

use std::collections::VecDeque;
use std::time::Duration;

use robot::{Instant, Now};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::AlarmNotice;

/// The window in which new alarms are counted.
pub(super) const WINDOW: Duration = Duration::from_secs(600);
/// So many new alarms in the window begin a flood.
pub(super) const BEGINS_AT: usize = 10;
/// With fewer than this in the window it ends.
pub(super) const ENDS_BELOW: usize = 5;

/// A flood as windows show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct FloodRow {
    /// When the first of its alarms came, Unix seconds.
    #[ts(type = "number")]
    pub since: i64,
    /// New alarms so far.
    #[ts(type = "number")]
    pub count: u64,
}

/// Detector of floods. The ten newest alarms are enough to know.
#[derive(Debug, Default)]
pub(super) struct Flood {
    newest: VecDeque<Now>,
    running: Option<Running>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Running {
    /// When the first of its alarms came.
    pub(super) first: Now,
    pub(super) count: u64,
}

impl Flood {
    /// A new alarm; says so if it begins a flood.
    pub(super) fn raised(&mut self, at: Now) -> Option<AlarmNotice> {
        if self.newest.len() >= BEGINS_AT {
            self.newest.pop_front();
        }
        self.newest.push_back(at);
        if let Some(running) = &mut self.running {
            running.count += 1;
            return None;
        }
        if self.within(at.station) < BEGINS_AT {
            return None;
        }
        let first = *self.newest.front()?;
        // The alarms that began the flood belong to it.
        self.running = Some(Running { first, count: BEGINS_AT as u64 });
        let sentence = format!("{BEGINS_AT} new alarms in 10 minutes: an alarm flood.");
        Some(AlarmNotice { code: "alarm_flood_began", sentence, agent: None })
    }

    /// Says so if a flood has ended.
    pub(super) fn tick(&mut self, now: Now) -> Option<AlarmNotice> {
        // It ends at a lower count than it begins at, or it would come and go with single alarms.
        if self.running.is_none() || self.within(now.station) >= ENDS_BELOW {
            return None;
        }
        let ended = self.running.take()?;
        let minutes = now.station.since(ended.first.station).as_secs() / 60;
        let sentence = format!("The alarm flood is over: {} alarms in {minutes} minutes.", ended.count);
        Some(AlarmNotice { code: "alarm_flood_ended", sentence, agent: None })
    }

    /// The flood that runs.
    pub(super) const fn running(&self) -> Option<Running> {
        self.running
    }

    fn within(&self, at: Instant) -> usize {
        self.newest.iter().filter(|raised| at.since(raised.station) < WINDOW).count()
    }
}
