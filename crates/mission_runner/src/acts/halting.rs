//! Missions that are made to stand still: one, all, and those that a stop or a failure concerns.

use std::collections::BTreeSet;
use std::sync::Arc;

use memory::Author;
use missions::FallbackClass;
use missions::lifecycle::{Act, Cause};
use robot::{MissionId, RobotId};

use super::{By, cause_of, refused, settle};
use crate::execution::work;
use crate::lives::{Life, Version};
use crate::runner::{AgentMissions, MissionRunner};
use runtime::audit::AuditEntry;
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::session::Session;
use runtime::wire::{MissionHalted, MissionLive, MissionsPaused, word};

/// Makes a mission stand still.
pub(crate) async fn pause(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    id: &MissionId,
    reason: Option<&str>,
) -> Result<MissionHalted, OpError> {
    halt_because(runner, agent, By { who: by, reason }, id, &Act::Pause(cause_of(by))).await
}

/// Ends a mission for good.
pub(crate) async fn cancel(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    id: &MissionId,
    reason: Option<&str>,
) -> Result<MissionHalted, OpError> {
    halt_because(runner, agent, By { who: by, reason }, id, &Act::Cancel).await
}

/// Makes every mission of every agent stand still.
pub(crate) async fn pause_all(
    runner: &Arc<MissionRunner>,
    by: &Session,
    reason: Option<&str>,
) -> Result<MissionsPaused, OpError> {
    let act = Act::Pause(cause_of(by));
    let mut stood = Vec::new();
    for agent in runner.all() {
        let halts = agent.lives.not_ended(|_| true).into_iter().map(|id| Halt { id, act: act.clone() });
        let ids = stand_each(runner, &agent, By { who: by, reason }, halts);
        stood.extend(ids.into_iter().map(|id| Stood { agent: Arc::clone(&agent), id }));
    }
    hold_and_write(runner, by, &stood).await?;
    Ok(MissionsPaused { paused: stood.into_iter().map(|stood| stood.id).collect() })
}

/// A mission that stands still in memory.
struct Stood {
    agent: Arc<AgentMissions>,
    id: MissionId,
}

/// Takes back what these have running, all of them before the first is written, so that a disk that takes its time lets
/// none go on. Every one is written, whatever becomes of the others.
async fn hold_and_write(runner: &Arc<MissionRunner>, by: &Session, stood: &[Stood]) -> Result<(), OpError> {
    for Stood { agent, id } in stood {
        // No await in this loop: nothing can come between the first robot that is held and the last.
        runner.hold_parts(agent, by, id);
    }
    let mut on_disk = Ok(());
    for Stood { agent, id } in stood {
        // Boxed: a part has parts in turn.
        on_disk = on_disk.and(Box::pin(written_and_settled(runner, agent, by, id)).await.map(drop));
    }
    on_disk
}

/// A mission that is paused or ended.
pub(crate) struct Halt {
    pub id: MissionId,
    pub act: Act,
}

/// Lets each stand still, in memory; gives those that did not.
fn stand_each(
    runner: &MissionRunner,
    agent: &AgentMissions,
    by: By<'_>,
    halts: impl IntoIterator<Item = Halt>,
) -> Vec<MissionId> {
    let now_ms = runner.runtime.clock.now().wall_ms;
    // One that has ended meanwhile does nothing any more.
    let stands = |halt: &Halt| agent.lives.stand_still(&halt.id, &halt.act, by.stopped(), now_ms).is_ok_and(|is| is);
    halts.into_iter().filter(stands).map(|halt| halt.id).collect()
}

/// Lets the parts of missions that stand still stand with them, and their parts, in memory.
fn stand_parts(runner: &MissionRunner, agent: &AgentMissions) -> Vec<MissionId> {
    let by = Session::supervision();
    let mut stand = Vec::new();
    loop {
        let more = stand_each(runner, agent, By { who: &by, reason: None }, work::halts_of_parts(agent));
        // Ends: each round makes missions stand that did not before, and there are only so many.
        if more.is_empty() {
            return stand;
        }
        stand.extend(more);
    }
}

/// Pauses or ends the parts of missions that stand still.
pub(crate) async fn halt_parts(runner: &Arc<MissionRunner>, agent: &Arc<AgentMissions>) -> Result<(), OpError> {
    let parts = stand_parts(runner, agent).into_iter().map(|id| Stood { agent: Arc::clone(agent), id });
    hold_and_write(runner, &Session::supervision(), &parts.collect::<Vec<_>>()).await
}

impl MissionRunner {
    /// A stop of `robots` makes the missions that name one of them stand still; a stop of all, every one. Nothing waits
    /// for the disk.
    pub fn pause_for_stop(self: &Arc<Self>, robots: &BTreeSet<RobotId>, of_all: bool) {
        let names_one = |version: &Arc<Version>| version.file.robots.iter().any(|robot| robots.contains(robot));
        let is_meant = |life: &Life| of_all || life.version.as_ref().is_some_and(names_one);
        self.pause_at_once(is_meant, &Cause::Stop);
    }

    /// An active mission that names `robot`.
    pub fn active_with(&self, robot: &RobotId) -> Option<MissionId> {
        let has = |life: &Life| life.version.as_ref().is_none_or(|version| version.file.robots.contains(robot));
        self.all().iter().find_map(|agent| agent.lives.active(has).into_iter().next())
    }

    /// The response to a failure makes every mission stand still. Nothing waits for the disk.
    pub fn pause_for_failure(self: &Arc<Self>, class: FallbackClass) {
        self.pause_at_once(|_| true, &Cause::Fallback(class));
    }

    /// True if every mission of every agent stands still or has ended.
    pub fn none_active(&self) -> bool {
        self.all().iter().all(|agent| agent.lives.active(|_| true).is_empty())
    }

    fn pause_at_once(self: &Arc<Self>, is_meant: impl Fn(&Life) -> bool, cause: &Cause) {
        for agent in self.all() {
            let by = Session::supervision();
            let meant = agent.lives.not_ended(&is_meant).into_iter();
            let halts = meant.map(|id| Halt { id, act: Act::Pause(cause.clone()) });
            let stand = stand_each(self, &agent, By { who: &by, reason: None }, halts);
            for id in stand.into_iter().chain(stand_parts(self, &agent)) {
                let (runner, agent, by) = (Arc::clone(self), Arc::clone(&agent), by.clone());
                // Beside the stop: memory has it already, and a slow disk must not hold up the next mission.
                self.runtime.spawn(async move {
                    if let Err(error) = written_and_settled(&runner, &agent, &by, &id).await {
                        tracing::error!(mission = %id, %error, "the pause of a mission is not on disk");
                    }
                });
            }
        }
    }
}

/// Pauses or ends a mission: in memory at once, then at the owners of what it has running, then on disk.
pub(crate) async fn halt(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    id: &MissionId,
    act: &Act,
) -> Result<MissionHalted, OpError> {
    halt_because(runner, agent, By { who: by, reason: None }, id, act).await
}

/// The same, with the reason that was given.
pub(super) async fn halt_because(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    by: By<'_>,
    id: &MissionId,
    act: &Act,
) -> Result<MissionHalted, OpError> {
    agent.check_known(id)?;
    let now_ms = runner.runtime.clock.now().wall_ms;
    let changed = agent.lives.stand_still(id, act, by.stopped(), now_ms).map_err(refused)?;
    let (live, still_moving) = if changed {
        runner.hold_parts(agent, by.who, id);
        // The parts before the disk write of the whole, and their failure only after it: all of them must stand.
        let parts = halt_parts(runner, agent).await;
        let stands = written_and_settled(runner, agent, by.who, id).await?;
        parts.map(|()| stands)?
    } else {
        (MissionLive::default(), Vec::new())
    };
    let status = agent.lives.status(id).map_or_else(|| "draft".to_owned(), |status| word(&status));
    Ok(MissionHalted { message: format!("Mission {id} {status}"), changed, live, still_moving })
}

/// Takes back what a mission that stands still has running, and writes where it stands. What depends on it hears of it,
/// whatever the disk says.
async fn written_and_settled(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    id: &MissionId,
) -> Result<(MissionLive, Vec<RobotId>), OpError> {
    let stands = written(runner, agent, by, id).await;
    // Limits bind while anything still moves: they are what bounds the last metres.
    runner.release_ended(agent, by).await;
    let settled = settle(runner, agent, id).await;
    stands.and_then(|stands| settled.map(|()| stands))
}

/// Takes back what it has running, and writes where it stands.
async fn written(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    id: &MissionId,
) -> Result<(MissionLive, Vec<RobotId>), OpError> {
    let stands = runner.halt_parts(agent, by, id).await;
    // Before the write, which may take long on a full disk: people see at once that it stands.
    if agent.lives.has_ended(id) {
        lock(&agent.ending).note(id, stands.1.clone());
    }
    runner.runtime.bus.missions_changed(BTreeSet::from([id.clone()]));
    save(runner, agent, by, id).await?;
    runner.reconcile(agent, id).await;
    Ok(stands)
}

/// Writes what the disk did not take when it happened: a mission that stands still would go on after a restart.
pub(crate) async fn save_what_is_not(runner: &Arc<MissionRunner>, agent: &Arc<AgentMissions>) {
    for id in agent.lives.unsaved() {
        if let Err(error) = save(runner, agent, &Session::supervision(), &id).await {
            tracing::warn!(mission = %id, %error, "where a mission stands is not on disk yet");
        }
    }
}

/// Writes where a mission stands that was stopped in memory. Another stop may have been written with this one.
async fn save(runner: &MissionRunner, agent: &AgentMissions, by: &Session, id: &MissionId) -> Result<(), OpError> {
    let on_disk = agent.on_disk.lock().await;
    // Read under the lock of the disk: an earlier write may have taken this stop along.
    let Some((life, stopper)) = agent.lives.life(id).and_then(|life| Some((life.clone(), life.unsaved?))) else {
        return Ok(());
    };
    let author = Author { actor: &stopper.actor, reason: stopper.reason.as_deref() };
    on_disk.save(id, &life, author).await?;
    agent.lives.note_saved(id, life.row_version);
    // Whoever asked for it has a record of the act; a stop or the station itself has not.
    let about = format!("mission={id} agent={} status={}", agent.id, word(&life.state.status));
    runner.runtime.audit.note_done(AuditEntry::by(by, "mission_transition", "ok").about(about));
    Ok(())
}
