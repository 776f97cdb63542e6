//! That a release names what is open, and that whoever releases may.

use std::collections::BTreeSet;

use bridge::envelope::StoppedBy;
use robot::{RobotId, Role};

use super::record::Record;
use crate::error::{ErrorKind, OpError};
use crate::session::Session;
use crate::station::Station;
use crate::unit::RobotUnit;

/// A stop that nobody the robot knows has signed may be anybody's: who ends it from afar takes it upon himself.
pub(super) fn check_strangers(station: &Station, unit: &RobotUnit, by: &Session) -> Result<(), OpError> {
    let strangers = unit.control().beats.gate_stops.iter().any(|stop| stop.by == StoppedBy::Stranger);
    if !strangers || by.role(station.clock.now().station) >= Role::Admin {
        return Ok(());
    }
    let message = format!(
        "{} was stopped by somebody its gate does not know. Look at the robot and end it with its pendant, or ask an Admin.",
        unit.id()
    );
    Err(OpError::new(ErrorKind::Forbidden, "strangers_stop", message))
}

/// That exactly the open stops of `robots` are named.
pub(super) fn check_exact(station: &Station, stop_ids: &BTreeSet<u64>, robots: &[RobotId]) -> Result<(), OpError> {
    let open: BTreeSet<u64> = if robots.is_empty() {
        // Without a robot nothing can be let go but what was pressed before any robot was known.
        let of_station = |record: &&Record| record.is_open() && record.stored.robots.is_empty();
        let open: BTreeSet<u64> =
            station.stops.lock().values().filter(of_station).map(|record| record.stored.stop_id).collect();
        if open.is_empty() {
            let message = "Name the robots to release; nothing was released.";
            return Err(OpError::bad_input("nothing_to_release", "robots", message));
        }
        open
    } else {
        robots.iter().flat_map(|robot| station.stops.binding(robot)).collect()
    };
    if &open == stop_ids && !open.is_empty() {
        return Ok(());
    }
    let message = "The open stops are not the ones named. Look at the stop panel and release again.";
    Err(OpError::conflict("stop_set_changed", message).with(serde_json::json!({ "open": open })))
}
