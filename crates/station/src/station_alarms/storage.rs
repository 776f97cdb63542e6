//! Free space on the disk of the station, and whether the station may write what it has to.

use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use rustix::fs::{StatVfs, statvfs};
use tokio::time::MissedTickBehavior;
use world::alarm::{BuiltIn, Of};

use crate::station::Station;
use files::Failures;
use runtime::config::{AgentFolders, Layout, StorageSettings};
use runtime::disk;

/// Time from one look at the disk to the next: its alarm is there within two seconds.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// A look that takes longer than this is one at a disk that does not answer.
const LOOK_MAX: Duration = Duration::from_secs(10);
/// Free space is low under this share of the disk, once it is also under the setting `low_mib`: a tenth of a large disk
/// holds years of recordings.
const LOW_PERCENT: u64 = 10;
/// Low space is urgent under both of these.
const URGENT: Free = Free { percent: 2, mib: 2 * 1024 };

/// The space that the station may still write.
#[derive(Clone, Copy)]
struct Free {
    /// Share of what the station could use of an empty disk, as `df` counts it: space reserved for root is not in it.
    percent: u64,
    mib: u64,
}

impl Free {
    fn of(disk: &StatVfs) -> Self {
        let used = disk.f_blocks.saturating_sub(disk.f_bfree);
        // A file system that names no size must not divide by zero.
        let usable = used.saturating_add(disk.f_bavail).max(1);
        Self {
            percent: disk.f_bavail.saturating_mul(100) / usable,
            mib: disk.f_bavail.saturating_mul(disk.f_frsize) / (1024 * 1024),
        }
    }

    fn is_low(self, settings: StorageSettings) -> bool {
        self.percent < LOW_PERCENT && self.mib < settings.low_mib
    }

    fn is_urgent(self) -> bool {
        self.percent < URGENT.percent && self.mib < URGENT.mib
    }
}

/// The free space, or why it is not known, and what cannot be written.
type Looked = (io::Result<Free>, Failures);

/// A look under way. One that hangs is waited for on and on: each further one would hang as well, with its thread.
type Looking = Pin<Box<dyn Future<Output = io::Result<Looked>> + Send>>;

/// The end of a look. What is not known of a disk is no reason to call it fine.
struct Found {
    free: Option<Free>,
    problem: Option<String>,
}

/// Starts looking, until the station ends. What waits for the disk does not hold it up.
pub(super) fn start(station: &Arc<Station>) {
    let task_station = Arc::clone(station);
    station.runtime.tasks.spawn(async move {
        let station = task_station;
        let mut hanging = None;
        let mut ticks = tokio::time::interval(LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = station.runtime.ended.cancelled() => return,
                _ = ticks.tick() => {
                    let looking = hanging.take().unwrap_or_else(|| looking(&station));
                    let (found, hangs) = look(looking, LOOK_MAX).await;
                    hanging = hangs;
                    tell(&station, found);
                }
            }
        }
    });
}

/// A look on a thread that may wait for the disk.
fn looking(station: &Station) -> Looking {
    let (root, paths) = (station.runtime.layout.root.clone(), written(station));
    Box::pin(disk::blocking(move || {
        let free = statvfs(&root).map(|disk| Free::of(&disk)).map_err(io::Error::from);
        Ok((free, files::unwritable(paths.iter().map(PathBuf::as_path))))
    }))
}

/// The end of a look, or the look itself if it is not over after `max`.
async fn look(mut looking: Looking, max: Duration) -> (Found, Option<Looking>) {
    let Ok(looked) = tokio::time::timeout(max, &mut looking).await else {
        let problem = format!("The station's disk has not answered for {} s.", max.as_secs());
        return (Found { free: None, problem: Some(problem) }, Some(looking));
    };
    let found = match looked {
        Err(error) | Ok((Err(error), _)) => {
            Found { free: None, problem: Some(format!("The station's disk cannot be looked at: {error}.")) }
        }
        Ok((Ok(free), refused)) => {
            let (count, words) = (refused.count, refused.in_words());
            let problem = format!("{count} files or folders of the station cannot be written: {words}.");
            Found { free: Some(free), problem: Some(problem).filter(|_| count > 0) }
        }
    };
    (found, None)
}

/// Raises or clears the alarms that the disk is nearly full, and that something cannot be written.
fn tell(station: &Station, Found { free, problem }: Found) {
    free.iter().for_each(|free| judge(station, *free));
    let is_there = problem.is_some();
    station.sensing.alarms.set(BuiltIn::StorageUnwritable, &Of::station(), is_there, || problem.unwrap_or_default());
}

/// The folders in which the station makes and replaces files, and the files that it writes in their place. What a
/// loop of one second can look at: neither each conversation nor each recording.
fn written(station: &Station) -> Vec<PathBuf> {
    let Layout { root, robots, recordings, agents } = &station.runtime.layout;
    let mut paths = vec![root.clone(), robots.clone(), recordings.clone(), agents.clone(), root.join("station.db")];
    for agent in station.runner.agents.all() {
        let AgentFolders { root, daily_logs, sessions, missions } = agent.folders.clone();
        paths.extend([root.join("memory.db"), root.join("backups"), root, daily_logs, sessions, missions]);
    }
    paths
}

fn judge(station: &Station, free: Free) {
    let of = Of::station().urgent(free.is_urgent());
    if !free.is_low(station.storage) {
        return station.sensing.alarms.clear(BuiltIn::StorageLow, &of);
    }
    let Free { percent, mib } = free;
    station.sensing.alarms.raise(
        BuiltIn::StorageLow,
        &of,
        format!("{percent} % of the station's disk is free ({mib} MiB)."),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    /// A look that found so much free, and nothing that cannot be written.
    fn found(free: io::Result<Free>) -> Looking {
        Box::pin(std::future::ready(Ok((free, Failures::default()))))
    }

    #[tokio::test]
    async fn a_disk_that_cannot_be_asked_or_does_not_answer_counts_as_one_that_cannot_be_written() {
        let (fine, hangs) = look(found(Ok(Free { percent: 50, mib: 1 << 20 })), LOOK_MAX).await;
        assert!(fine.free.is_some() && fine.problem.is_none() && hangs.is_none());
        let lost = found(Err(io::Error::other("stale file handle")));
        let gone: Looking = Box::pin(std::future::ready(Err(io::Error::other("the thread is gone"))));
        for looking in [lost, gone] {
            let (lost, hangs) = look(looking, LOOK_MAX).await;
            assert!(lost.free.is_none() && lost.problem.is_some() && hangs.is_none());
        }
        let (silent, hangs) = look(Box::pin(std::future::pending()), Duration::ZERO).await;
        assert!(silent.problem.is_some());
        assert!(hangs.is_some(), "it is waited for, and no second one is begun");
    }

    const GIB: u64 = 1024 * 1024 * 1024;

    /// A disk of a size, with a part used and a part reserved for root, GiB.
    fn disk(size: u64, used: u64, reserved: u64) -> StatVfs {
        let blocks = |gib: u64| gib * GIB / 4096;
        StatVfs {
            f_bsize: 4096,
            f_frsize: 4096,
            f_blocks: blocks(size),
            f_bfree: blocks(size - used),
            f_bavail: blocks(size - used - reserved),
            f_files: 0,
            f_ffree: 0,
            f_favail: 0,
            f_fsid: 0,
            f_flag: rustix::fs::StatVfsMountFlags::empty(),
            f_namemax: 255,
        }
    }

    #[test]
    fn space_reserved_for_root_is_neither_free_nor_used() {
        let free = Free::of(&disk(252, 62, 160));
        assert_eq!((free.percent, free.mib), (32, 30 * 1024));
    }

    #[test]
    fn u_1310_a_share_is_low_only_where_the_space_is_little_too() {
        let under = |size, used| {
            let free = Free::of(&disk(size, used, 0));
            (free.is_low(StorageSettings::default()), free.is_urgent())
        };
        assert_eq!(under(4_000, 3_900), (false, false), "100 GiB free of 4 TB");
        assert_eq!(under(100, 91), (true, false));
        assert_eq!(under(100, 99), (true, true));
        assert_eq!(under(8, 6), (false, false), "a quarter of a small disk is free");
        assert!(!Free::of(&disk(100, 91, 0)).is_low(StorageSettings { low_mib: 1_024 }), "the site has chosen 1 GiB");
        assert_eq!(Free::of(&disk(0, 0, 0)).percent, 0, "a file system that names no size");
    }
}
