//! Watch on the mission files: a changed one is read anew, and people are told if the file of a mission that runs is
//! not what runs.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use robot::MissionId;
use tokio::time::MissedTickBehavior;
use world::alarm::{BuiltIn, Of};

use crate::mission_files::compiling;
use crate::mission_files::counts::Counting;
use crate::mission_files::folder::{FILES_MAX, FolderState};
use crate::mission_files::folder_watch::FolderWatch;
use crate::mission_files::versions;
use crate::runner::{AgentMissions, MissionRunner};
use runtime::wire::Tag;

/// Time between two looks at the folder: a change is known within five seconds, even if nobody tells of it.
const LOOK_EVERY: Duration = Duration::from_secs(4);

/// Time after which a file that has changed is looked at again.
const LOOK_AGAIN: Duration = Duration::from_millis(300);

/// Time after which every file that was there at the start has been read, milliseconds.
const STARTING_MS: u64 = 3_000;

/// Names of files that one sentence tells of.
const NAMES_TOLD_MAX: usize = 10;

/// Starts looking; ends with the runner.
pub(crate) fn start(runner: &Arc<MissionRunner>, agent: &Arc<AgentMissions>) {
    let (task_runner, agent) = (Arc::clone(runner), Arc::clone(agent));
    runner.runtime.tasks.spawn(async move {
        let runner = task_runner;
        let mut ticks = tokio::time::interval(LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let started = runner.runtime.clock.now().station;
        let mut counted = Arc::new(Counting::default());
        let (mut before, mut told, mut watch) = (None, BTreeSet::new(), FolderWatch::default());
        loop {
            tokio::select! {
                () = runner.runtime.ended.cancelled() => return,
                _ = ticks.tick() => {}
                () = watch.burst() => {}
                () = stands_still(agent.files.is_settling()) => {}
            }
            let watched = watch.hold(&agent.folder);
            let (looking, looking_for) = (Arc::clone(&agent), Arc::clone(&runner));
            let looked = tokio::task::spawn_blocking(move || {
                // Here nobody waits for it.
                let (seen, drafts) = looking.files.look_all(&looking.folder)?;
                let counting = compiling::counts(&looking_for, &looking, &drafts, usize::MAX);
                Ok((seen, counting))
            });
            let looked = looked.await;
            match looked.unwrap_or_else(|error| Err(std::io::Error::other(error))) {
                Ok((seen, counting)) => {
                    let lost = watched
                        .err()
                        .map(|error| format!("Changes of the mission files of {} are seen late: {error}.", agent.id));
                    runner.host.sensing.set_alarm(BuiltIn::MissionWatcherFailed, &Of::agent(&agent.id), lost);
                    // Until then those that are read had their texts before.
                    let open_ms = runner.runtime.clock.now().station.ms_since(started);
                    if open_ms > STARTING_MS || !agent.files.is_settling() {
                        versions::keep_changed(&runner, &agent).await;
                    }
                    // A robot or another mission may have made a text right or wrong.
                    if std::mem::replace(&mut counted, Arc::clone(&counting)).differs(&counting) {
                        runner.runtime.bus.changed(Tag::Missions);
                    }
                    if before.as_ref() != Some(&seen) {
                        tell_left_out(&runner, &agent, before.as_ref(), &seen);
                        before = Some(seen);
                        runner.runtime.bus.changed(Tag::Missions);
                        agent.changed.notify_one();
                        tell(&runner, &agent, &mut told);
                    }
                }
                Err(error) => {
                    watch.end();
                    let sentence = format!("The mission files of {} cannot be looked at: {error}.", agent.id);
                    runner.host.sensing.set_alarm(BuiltIn::MissionWatcherFailed, &Of::agent(&agent.id), Some(sentence));
                }
            }
        }
    });
}

/// Returns when a file that has changed may have stood still for long enough; never if there is none.
async fn stands_still(is_settling: bool) {
    if is_settling {
        tokio::time::sleep(LOOK_AGAIN).await;
    } else {
        std::future::pending::<()>().await;
    }
}

/// Tells of missions that nobody looks at any more because the folder holds too many.
fn tell_left_out(runner: &MissionRunner, agent: &AgentMissions, before: Option<&FolderState>, seen: &FolderState) {
    if seen.left_out.is_empty() || before.is_some_and(|before| before.left_out == seen.left_out) {
        return;
    }
    let names: Vec<&str> = seen.left_out.iter().take(NAMES_TOLD_MAX).map(MissionId::as_str).collect();
    let more = seen.left_out.len().saturating_sub(names.len());
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let sentence = format!(
        "{} has more than {FILES_MAX} mission files, of which those that are shipped and the first by name count. Left out: \
         {}{more}.",
        agent.id,
        names.join(", ")
    );
    tracing::warn!(agent = %agent.id, left_out = seen.left_out.len(), "too many mission files");
    runner.runtime.bus.event_of(&agent.id, "mission_files_left_out", sentence);
}

/// Tells once of each mission that runs and whose file says something else.
fn tell(runner: &MissionRunner, agent: &AgentMissions, told: &mut BTreeSet<MissionId>) {
    let differs = |id: &MissionId| {
        let runs = agent.lives.life(id).and_then(|life| life.version);
        agent.source(id).is_ok_and(|source| runs.is_some_and(|runs| runs.activation.source != source))
    };
    let differing: BTreeSet<MissionId> = agent.lives.active(|_| true).into_iter().filter(differs).collect();
    for id in differing.difference(told) {
        let sentence = format!("The file of mission {id} was changed. What runs is the text that was activated.");
        runner.runtime.bus.event_of(&agent.id, "mission_file_changed", sentence);
    }
    *told = differing;
}
