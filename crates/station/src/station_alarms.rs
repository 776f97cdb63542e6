//! Alarms that the station raises by itself: about its robots and its disk.

mod robots;
mod storage;

use std::sync::Arc;

use crate::station::Station;

/// Starts looking, until the station ends.
pub(crate) fn start(station: &Arc<Station>) {
    storage::start(station);
    robots::start(station);
}
