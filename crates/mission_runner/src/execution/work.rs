//! The work on the missions of an agent: one task looks at every active one, whenever something has changed and every
//! half second. Whatever takes longer is done beside it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use memory::{Author, MemoryError};
use missions::lifecycle::{Act, Cause, Phase, Resumer, State, Status, Step, step};
use missions::run::Run;
use missions::trigger;
use robot::{Instant, MissionId};
use tokio::time::MissedTickBehavior;
use world::predicate::{Memory, Rule, Truth};

use crate::acts::{self, Halt};
use crate::execution::check;
use crate::execution::goals;
use crate::execution::triggers;
use crate::lives::Life;
use crate::runner::{AgentMissions, MissionRunner};
use crate::view::graph::Family;
use runtime::error::OpError;
use runtime::lock::lock;
use runtime::session::Session;

/// The longest time between two looks: what depends on the world or on the clock is seen by then.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Starts the work; ends with the runner.
pub(crate) fn start(runner: &Arc<MissionRunner>, agent: &Arc<AgentMissions>) {
    let (task_runner, agent) = (Arc::clone(runner), Arc::clone(agent));
    runner.runtime.tasks.spawn(async move {
        let runner = task_runner;
        let mut ticks = tokio::time::interval(LOOK_EVERY);
        // After a long look the ticks that were missed are not made up for: one look sees all there is.
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        tokio::select! {
            () = runner.runtime.ended.cancelled() => return,
            // The limits of activated texts bind from then on, and nothing of a mission begins without them.
            () = runner.checked.cancelled() => {}
        }
        let mut watched = Watched::default();
        loop {
            tokio::select! {
                () = runner.runtime.ended.cancelled() => return,
                () = agent.changed.notified() => {}
                _ = ticks.tick() => {}
            }
            look(&runner, &agent, &mut watched).await;
        }
    });
}

/// Looks at every active mission once.
async fn look(runner: &Arc<MissionRunner>, agent: &Arc<AgentMissions>, watched: &mut Watched) {
    let unsettled: Vec<MissionId> = lock(&agent.unsettled).keys().cloned().collect();
    for id in unsettled {
        runner.reconcile(agent, &id).await;
    }
    // Before any work: a stop that is in memory alone would be lost with this process.
    acts::save_what_is_not(runner, agent).await;
    runner.release_ended(agent, &Session::supervision()).await;
    let active = agent.lives.all_active();
    runner.look_at_money(agent).await;
    let is_at_work = |(id, life): &&(MissionId, Arc<Life>)| life.state.phase == Phase::Running && !agent.is_broke(id);
    // A mission that was paused or is out of money must not keep a part of a robot from others.
    agent.drop_locks_but(&active.iter().filter(is_at_work).map(|(id, _)| id).collect());
    if active.is_empty() {
        return;
    }
    let family = Family::of(agent);
    // The evaluation goes through every dependency, and only missions that are held have a use for it.
    let ready = if active.iter().any(|(_, life)| life.state.phase == Phase::Held) {
        family.evaluation().ready.as_slice()
    } else {
        &[]
    };
    let now = runner.runtime.clock.now();
    for (id, life) in &active {
        let looked = Looked { runner, agent, id, life };
        let is_expired = life.version.as_ref().is_some_and(|version| version.is_expired(now));
        let done = match life.state.phase {
            // First of all: a mission whose time is over begins nothing, whatever else is due.
            _ if is_expired => expire(looked).await,
            // Nothing begins; what has begun comes to its end.
            Phase::Live | Phase::Running if agent.is_broke(id) => triggers::during_run(looked, watched).await,
            Phase::Held if agent.is_broke(id) => Ok(()),
            Phase::Held if ready.contains(id) => check::begin(looked, watched).await,
            Phase::Held | Phase::Checking => Ok(()),
            Phase::Live => triggers::start(looked, family.parts(id), watched).await,
            Phase::Running => match triggers::during_run(looked, watched).await {
                Ok(()) => {
                    // Locks before the goal: without them no person is asked about a motion that could not begin.
                    let has_locks = runner.take_locks(looked);
                    goals::work(looked, family.parts(id), has_locks, watched).await
                }
                Err(error) => Err(error),
            },
        };
        // One mission that fails here must not keep the others from being looked at.
        if let Err(error) = done {
            tracing::error!(agent = %agent.id, mission = %id, %error, "the work on a mission did not go on");
        }
    }
    watched.drop_unseen();
}

/// Ends a mission whose time is over, and tells people.
async fn expire(Looked { runner, agent, id, .. }: Looked<'_>) -> Result<(), OpError> {
    if acts::halt(runner, agent, &Session::supervision(), id, &Act::Expire).await?.changed {
        let sentence = format!("Mission {id} has ended: its time is over.");
        runner.runtime.bus.event_of(&agent.id, "mission_expired", sentence);
    }
    Ok(())
}

/// Makes the parts of every mission stand, go on or end with it.
pub(crate) async fn carry_over(runner: &Arc<MissionRunner>, agent: &Arc<AgentMissions>) -> Result<(), OpError> {
    acts::halt_parts(runner, agent).await?;
    for Part { id, life, parent, parent_state } in parts(agent) {
        let with_parent = Cause::Parent(parent);
        let goes_on = parent_state.status == Status::Active && life.state.status == Status::Paused;
        // A part that a person or a stop has paused stays paused when its parent goes on.
        if !goes_on || life.state.cause.as_ref() != Some(&with_parent) {
            continue;
        }
        let now = runner.runtime.clock.now();
        let is_expired = life.version.as_ref().is_some_and(|version| version.is_expired(now));
        let act = Act::Resume { by: Resumer::Other(with_parent), is_expired };
        let resumed = |life: &Life| match step(Some(&life.state), &act) {
            Ok(Step::To(state)) => Some((state, life.run.clone())),
            Ok(Step::Same) | Err(_) => None,
        };
        agent.change(runner, &id, "station", resumed).await?;
    }
    Ok(())
}

/// The parts that do not stand as their mission does, each with the act that makes it.
pub(crate) fn halts_of_parts(agent: &AgentMissions) -> Vec<Halt> {
    let halt = |Part { id, life, parent, parent_state }: Part| {
        let act = match (parent_state.status, life.state.status) {
            (Status::Paused | Status::Failed, Status::Active) => Act::Pause(Cause::Parent(parent)),
            (Status::Cancelled, Status::Active | Status::Paused) => Act::CancelWith(parent),
            (
                Status::Active | Status::Paused | Status::Completed | Status::Failed | Status::Cancelled,
                Status::Active | Status::Paused | Status::Completed | Status::Failed | Status::Cancelled,
            ) => return None,
        };
        Some(Halt { id, act })
    };
    parts(agent).into_iter().filter_map(halt).collect()
}

/// A mission that is part of another.
struct Part {
    id: MissionId,
    life: Arc<Life>,
    parent: MissionId,
    parent_state: State,
}

fn parts(agent: &AgentMissions) -> Vec<Part> {
    agent.lives.look(|lives| {
        let part = |(id, life): (&MissionId, &Arc<Life>)| {
            let parent = &life.version.as_ref()?.file.parsed.front.parent.as_ref()?.value;
            let parent_state = lives.get(parent)?.state.clone();
            Some(Part { id: id.clone(), life: Arc::clone(life), parent: parent.clone(), parent_state })
        };
        lives.iter().filter_map(part).collect()
    })
}

impl AgentMissions {
    /// Writes where every mission stands, into a database that a backup has replaced.
    pub async fn put_back(&self) -> Result<(), MemoryError> {
        self.on_disk.lock().await.put_back(&self.lives).await
    }

    /// Brings a mission to where `change` says, on disk and then in memory; nothing if it says nothing. True if the
    /// mission stands so now: what has stopped it meanwhile stays in force.
    pub(crate) async fn change(
        &self,
        runner: &MissionRunner,
        id: &MissionId,
        actor: &str,
        change: impl FnOnce(&Life) -> Option<(State, Option<Run>)>,
    ) -> Result<bool, OpError> {
        let changed = |life: &Life| change(life).map(|(state, run)| Life { state, run, ..life.clone() });
        self.change_life(runner, id, actor, changed).await
    }

    /// The same for what is more than its state and its run. When it began, and its version of the row, follow by
    /// themselves.
    pub(crate) async fn change_life(
        &self,
        runner: &MissionRunner,
        id: &MissionId,
        actor: &str,
        change: impl FnOnce(&Life) -> Option<Life>,
    ) -> Result<bool, OpError> {
        // Held from the look to the write: changes follow one another, and each is made of the row on disk.
        let on_disk = self.on_disk.lock().await;
        let Some(life) = self.lives.life(id) else { return Ok(false) };
        let Some(next) = change(&life) else { return Ok(false) };
        let is_same = next.state == life.state;
        let since_ms = if is_same { life.since_ms } else { runner.runtime.clock.now().wall_ms };
        let next = Life { since_ms, row_version: life.row_version + 1, ..next };
        on_disk.save(id, &next, Author { actor, reason: None }).await?;
        // On disk first: what memory lets begin must not be forgotten by a crash.
        let stands = self.put_saved(runner, id, next);
        drop(on_disk);
        if !is_same {
            runner.reconcile(self, id).await;
        }
        runner.tell_changed(self, id);
        self.changed.notify_one();
        Ok(stands)
    }
}

/// A mission that is looked at, as it stood then.
#[derive(Clone, Copy)]
pub(crate) struct Looked<'l> {
    pub runner: &'l Arc<MissionRunner>,
    pub agent: &'l Arc<AgentMissions>,
    pub id: &'l MissionId,
    pub life: &'l Life,
}

/// Rules and waits of missions that are looked at again and again, with what each remembers. Entries
/// that a look leaves out are dropped.
#[derive(Default)]
pub(crate) struct Watched(BTreeMap<(MissionId, String), Watch>);

struct Watch {
    /// The first look.
    since: Instant,
    memory: Option<Memory>,
    trigger: trigger::Watch,
    is_seen: bool,
}

impl Watched {
    /// The truth of `rule`, which `place` names within the mission.
    pub fn truth(&mut self, looked: Looked<'_>, place: String, rule: &Rule) -> Truth {
        let Looked { runner, agent, id, .. } = looked;
        let watch = self.at(runner, id, place);
        let memory = watch.memory.get_or_insert_with(|| Memory::of(rule));
        runner.host.sensing.truth(&agent.id, rule, memory)
    }

    /// The time since the first look at `place` of the mission.
    pub fn elapsed(&mut self, runner: &MissionRunner, id: &MissionId, place: String) -> Duration {
        let now = runner.runtime.clock.now().station;
        Duration::from_millis(now.ms_since(self.at(runner, id, place).since))
    }

    /// The memory of the trigger at `place` of the mission.
    pub fn trigger(&mut self, runner: &MissionRunner, id: &MissionId, place: String) -> &mut trigger::Watch {
        &mut self.at(runner, id, place).trigger
    }

    fn at(&mut self, runner: &MissionRunner, id: &MissionId, place: String) -> &mut Watch {
        let since = runner.runtime.clock.now().station;
        let watch = self.0.entry((id.clone(), place)).or_insert(Watch {
            since,
            memory: None,
            trigger: trigger::Watch::default(),
            is_seen: true,
        });
        watch.is_seen = true;
        watch
    }

    fn drop_unseen(&mut self) {
        // A rule or wait that is taken up again begins anew, and ended missions leave nothing behind.
        self.0.retain(|_, watch| std::mem::replace(&mut watch.is_seen, false));
    }
}
