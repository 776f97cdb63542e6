//! Free space on the disk of the station, and whether the station may write what it has to.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rustix::fs::{StatVfs, statvfs};
use tokio::time::MissedTickBehavior;
use world::alarm::{BuiltIn, Of};

use crate::station::Station;
use runtime::config::{AgentFolders, Layout};
use runtime::disk;

/// Time from one look at the disk to the next: its alarm is there within two seconds.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Less free space than this share is little, percent.
const LOW_PERCENT: u64 = 10;
/// Less than this is urgent, percent.
const URGENT_PERCENT: u64 = 2;

/// Starts looking, until the station ends. What waits for the disk does not hold it up.
pub(super) fn start(station: &Arc<Station>) {
    let task_station = Arc::clone(station);
    station.tasks.spawn(async move {
        let station = task_station;
        let mut ticks = tokio::time::interval(LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = station.ended.cancelled() => return,
                _ = ticks.tick() => look(&station).await,
            }
        }
    });
}

/// Raises or clears the alarms that the disk is nearly full, and that something cannot be written.
async fn look(station: &Station) {
    let (root, paths) = (station.layout.root.clone(), written(station));
    let looked = disk::blocking(move || Ok((statvfs(&root)?, files::unwritable(paths.iter().map(PathBuf::as_path)))));
    let Ok((disk, refused)) = looked.await else { return };
    judge(station, free_percent(&disk));
    station.alarms.set(BuiltIn::StorageUnwritable, &Of::station(), refused.count > 0, || {
        format!("{} files or folders of the station cannot be written: {}.", refused.count, refused.in_words())
    });
}

/// The folders in which the station makes and replaces files, and the files that it writes in their place. What a loop of
/// one second can look at: neither each conversation nor each recording.
fn written(station: &Station) -> Vec<PathBuf> {
    let Layout { root, robots, recordings, agents } = &station.layout;
    let mut paths = vec![root.clone(), robots.clone(), recordings.clone(), agents.clone(), root.join("station.db")];
    for agent in station.agents.all() {
        let AgentFolders { root, daily_logs, sessions, missions } = agent.folders.clone();
        paths.extend([root.join("memory.db"), root.join("backups"), root, daily_logs, sessions, missions]);
    }
    paths
}

fn free_percent(disk: &StatVfs) -> u64 {
    disk.f_bavail.saturating_mul(100) / disk.f_blocks.max(1)
}

fn judge(station: &Station, free_percent: u64) {
    let of = Of::station().urgent(free_percent < URGENT_PERCENT);
    if free_percent >= LOW_PERCENT {
        return station.alarms.clear(BuiltIn::StorageLow, &of);
    }
    station.alarms.raise(BuiltIn::StorageLow, &of, format!("{free_percent} % of the station's disk is free."));
}
