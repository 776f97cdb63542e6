//! Whether somebody has changed the mission files: what is shown of them is read anew, and people are told if the file
//! of a mission that runs is not what runs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use robot::MissionId;
use tokio::time::MissedTickBehavior;
use world::alarm::{BuiltIn, Of};

use crate::agents::AgentUnit;
use crate::missions_folder::listed;
use crate::station::Station;
use crate::wire::Tag;

/// How often the folder is looked at: a change is known within five seconds.
const LOOK_EVERY: Duration = Duration::from_secs(4);

/// What a look at the folder sees: the length of each file and when it was written. None of them is read.
type Seen = BTreeMap<MissionId, (u64, SystemTime)>;

/// Starts looking; ends with the station.
pub(crate) fn start(station: &Arc<Station>, agent: &Arc<AgentUnit>) {
    let (task_station, agent) = (Arc::clone(station), Arc::clone(agent));
    station.tasks.spawn(async move {
        let station = task_station;
        let mut ticks = tokio::time::interval(LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut before, mut told) = (None, BTreeSet::new());
        loop {
            tokio::select! {
                () = station.ended.cancelled() => return,
                _ = ticks.tick() => {}
            }
            let looking = Arc::clone(&agent);
            let looked = tokio::task::spawn_blocking(move || {
                let seen = see(&looking.folders.missions)?;
                // Here nobody waits for it.
                looking.mission_files.parse_all(&looking.folders.missions);
                Ok(seen)
            });
            let looked = looked.await;
            match looked.unwrap_or_else(|error| Err(std::io::Error::other(error))) {
                Ok(seen) => {
                    station.alarms.clear(BuiltIn::MissionWatcherFailed, &Of::agent(&agent.id));
                    if before.as_ref() != Some(&seen) {
                        before = Some(seen);
                        station.hub.changed(Tag::Missions);
                        tell(&station, &agent, &mut told);
                    }
                }
                Err(error) => {
                    let sentence = format!("The mission files of {} cannot be looked at: {error}.", agent.id);
                    station.alarms.raise(BuiltIn::MissionWatcherFailed, &Of::agent(&agent.id), sentence);
                }
            }
        }
    });
}

fn see(folder: &Path) -> std::io::Result<Seen> {
    let mut seen = Seen::new();
    for (id, path) in listed(folder)? {
        match path.symlink_metadata() {
            Ok(metadata) => _ = seen.insert(id, (metadata.len(), metadata.modified()?)),
            // It went while the folder was read.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(seen)
}

/// Tells once of each mission that runs and whose file says something else.
fn tell(station: &Station, agent: &AgentUnit, told: &mut BTreeSet<MissionId>) {
    let differs = |id: &MissionId| {
        let runs = agent.lives.life(id).and_then(|life| life.version).map(|version| version.activation.source);
        agent.mission_source(id).is_ok_and(|source| runs.is_some_and(|runs| runs != source))
    };
    let differing: BTreeSet<MissionId> = agent.lives.active(|_| true).into_iter().filter(differs).collect();
    for id in differing.difference(told) {
        let sentence = format!("The file of mission {id} was changed. What runs is the text that was activated.");
        station.hub.event_of(&agent.id, "mission_file_changed", sentence);
    }
    *told = differing;
}
