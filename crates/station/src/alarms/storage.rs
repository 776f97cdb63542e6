//! How full the disk of the station is.

use rustix::fs::statvfs;
use world::alarm::{BuiltIn, Of};

use crate::station::Station;

/// The disk is looked at every 30 s.
pub(super) const LOOK_EVERY_SAVES: u32 = 300;
/// Less free space than this share is little, percent.
const LOW_PERCENT: u64 = 10;
/// Less than this is urgent, percent.
const URGENT_PERCENT: u64 = 2;

/// Raises or clears the alarm that the disk is nearly full.
pub(super) fn look(station: &Station) {
    let Ok(disk) = statvfs(&station.layout.root) else { return };
    let free_percent = disk.f_bavail.saturating_mul(100) / disk.f_blocks.max(1);
    judge(station, free_percent);
}

fn judge(station: &Station, free_percent: u64) {
    let of = Of::station().urgent(free_percent < URGENT_PERCENT);
    if free_percent >= LOW_PERCENT {
        return station.alarms.clear(BuiltIn::StorageLow, &of);
    }
    station.alarms.raise(BuiltIn::StorageLow, &of, format!("{free_percent} % of the station's disk is free."));
}
