//! Alarms that the station raises by itself: about its robots, its certificates and its disk.

mod certificates;
mod robots;
mod storage;

use std::sync::Arc;

use crate::station::Station;

/// Starts looking, until the station ends.
pub(crate) fn start(station: &Arc<Station>) {
    certificates::start(station);
    storage::start(station);
    robots::start(station);
}
