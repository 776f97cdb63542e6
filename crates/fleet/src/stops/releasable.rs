//! Checks of a release: it names exactly the open stops, and its caller may end them.

use std::collections::BTreeSet;

use bridge::envelope::StoppedBy;
use robot::{RobotId, Role};

use crate::code::FleetCode;
use crate::fleet::Fleet;
use crate::state::robot_handle::RobotHandle;
use crate::state::stop_records::{InProgress, Record, Step, Stops};
use runtime::error::OpError;
use runtime::session::Session;

/// Refuses the remote release of a stop without a known signature to all but Admins: it may come from somebody
/// beside the robot.
pub(super) fn check_strangers(fleet: &Fleet, unit: &RobotHandle, by: &Session) -> Result<(), OpError> {
    let strangers = unit.control().beats.gate_stops.iter().any(|stop| stop.by == StoppedBy::Stranger);
    if !strangers || by.role(fleet.runtime.clock.now().station) >= Role::Admin {
        return Ok(());
    }
    let message = format!(
        "{} was stopped by somebody its gate does not know. Look at the robot and end it with its pendant, or ask an Admin.",
        unit.id()
    );
    Err(OpError::new(FleetCode::StrangersStop, message))
}

impl Stops {
    /// Begins the release of `stop_ids`, if they are exactly the open stops of `robots`. Until it is dropped, whoever
    /// presses such a stop again opens a new one, which the release does not end.
    pub(super) fn begin_release(
        &self,
        stop_ids: &BTreeSet<u64>,
        robots: &[RobotId],
    ) -> Result<InProgress<'_>, OpError> {
        let mut records = self.lock();
        let of_station = |record: &Record| record.is_open() && record.stored.robots.is_empty();
        let is_meant = |record: &Record| match robots {
            // Without robots only a stop that was pressed before any robot was known can be meant.
            [] => of_station(record),
            robots => robots.iter().any(|robot| record.binds(robot)),
        };
        let meant: Vec<&mut Record> = records.values_mut().filter(|record| is_meant(record)).collect();
        if meant.is_empty() && robots.is_empty() {
            let message = "Name the robots to release; nothing was released.";
            return Err(OpError::bad_input(FleetCode::NothingToRelease, "robots", message));
        }
        let open: BTreeSet<u64> = meant.iter().map(|record| record.stored.stop_id).collect();
        // A press that has not reached the robots' state yet would be let go before it holds.
        let pressed_now = meant.iter().any(|record| record.is_being_pressed());
        if &open == stop_ids && !open.is_empty() && !pressed_now {
            return Ok(InProgress::begin(self, Step::Release, meant));
        }
        let message = "The open stops are not the ones named. Look at the stop panel and release again.";
        Err(OpError::new(FleetCode::StopSetChanged, message).with(serde_json::json!({ "open": open })))
    }
}

#[cfg(test)]
mod tests;
