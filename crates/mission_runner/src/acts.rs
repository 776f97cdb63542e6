//! Acts of people, programs and the agent on missions.

mod halting;

use std::collections::BTreeSet;
use std::sync::Arc;

use memory::{Author, StoredActivation};
use missions::lifecycle::{Act, Cause, Resumer, State, Step, step};
use missions::{Compiled, HiddenText, MissionCode, MissionFile};
use robot::{MissionId, RobotId, Role, SessionKind};

use crate::dry_run::records;
use crate::execution::check;
use crate::execution::failures;
use crate::execution::goals;
use crate::execution::work;
use crate::lives::{Life, LivesOnDisk, StoppedBy, Version, changed_meanwhile};
use crate::mission_files::compiling::{self, Checked};
use crate::mission_files::folder::hash_of;
use crate::runner::{AgentMissions, MissionRunner};
use crate::view::graph::Family;
use crate::view::rows;
use runtime::crash::{self, CrashPoint};
use runtime::error::OpError;
use runtime::session::Session;
use runtime::wire::{AcceptedWarning, MissionActivated, MissionChanged, MissionCompleted, MissionHalted, Tag, word};

use halting::halt_because;
pub(crate) use halting::{Halt, cancel, halt, halt_parts, pause, pause_all, save_what_is_not};

/// The author of an act, with the reason that was given.
#[derive(Clone, Copy)]
struct By<'b> {
    who: &'b Session,
    reason: Option<&'b str>,
}

impl By<'_> {
    /// The author of a stop.
    fn stopped(&self) -> StoppedBy {
        StoppedBy { actor: self.who.actor().to_owned(), reason: self.reason.map(str::to_owned) }
    }
}

/// The text that a person wants to run.
pub(crate) struct Wanted<'w> {
    /// The hash of the text that the person saw.
    pub hash: &'w str,
    /// The warnings that the person accepts.
    pub accepted: &'w [AcceptedWarning],
    /// The numbers of the standing approvals that the person grants, from 1.
    pub granted: &'w [usize],
    /// The reason that the person gave.
    pub reason: Option<&'w str>,
    /// The dry run that the person saw.
    pub dry_run: Option<&'w str>,
}

impl Wanted<'_> {
    /// The act as it is kept, with the text that has this hash.
    fn kept(&self, by: &Session, role: Role, source: String, at_ms: i64) -> StoredActivation {
        StoredActivation {
            id: format!("act-{}", uuid::Uuid::now_v7()),
            hash: self.hash.to_owned(),
            at_ms,
            by: by.actor().to_owned(),
            source,
            accepted: serde_json::to_string(self.accepted).ok(),
            granted: serde_json::to_string(self.granted).ok(),
            role: Some(word(&role)),
            reason: self.reason.map(str::to_owned),
            dry_run: self.dry_run.map(str::to_owned),
        }
    }
}

/// Lets exactly the text with this hash run.
pub(crate) async fn activate(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    id: &MissionId,
    wanted: Wanted<'_>,
) -> Result<MissionActivated, OpError> {
    let Wanted { hash, accepted, granted, reason, dry_run } = wanted;
    // The text of the file at this moment; the person approves what was read, not what was written since.
    let source = seen_source(agent, id, hash)?;
    records::check_of(agent, id, hash, dry_run).await?;
    // What a person sees of a change is a change of this one.
    let before = agent.lives.life(id);
    // What has ended for good is refused as such, whatever its text.
    step(before.as_ref().map(|life| &life.state), &Act::Activate { same_text: false }).map_err(refused)?;
    let seen = activated(before.as_ref());
    let (file, checked) = readied(runner, agent, id, &source).await?;
    let role = by.role(runner.runtime.clock.now().station);
    checked.check_may(role, accepted, reason)?;
    // A stop must not be followed by new motion as soon as it is released.
    check_no_stop(runner, &file.robots)?;
    let chosen = runner.chosen(by, &file, granted)?;
    let warning = hides(&file.hidden);
    let activation = wanted.kept(by, role, source, runner.runtime.clock.now().wall_ms);
    let on_disk = agent.on_disk.lock().await;
    let before = agent.lives.life(id);
    // The changes that this person accepted were shown against another text than the one in force now.
    if activated(before.as_ref()) != seen {
        return Err(changed_meanwhile(id));
    }
    let same_text =
        before.as_ref().and_then(|life| life.version.as_ref()).is_some_and(|old| old.activation.hash == hash);
    let next = step(before.as_ref().map(|life| &life.state), &Act::Activate { same_text }).map_err(refused)?;
    // The same text again keeps what was granted, unless something else is ticked (decision 0182).
    let renews = !chosen.is_empty() || (next != Step::Same && before.is_some());
    let activation_id = match (next, before.as_ref().and_then(|life| life.version.clone())) {
        (Step::Same, Some(version)) => version.activation.id.clone(),
        (Step::Same, None) => activation.id,
        (Step::To(state), _) => {
            // Its limits bind before it can begin, and those of the text before it until then.
            // Between binding the new limits and releasing the old ones: at no moment is the robot without either.
            let id = activation.id.clone();
            let version = Version::new(activation, file, &runner.runtime.zone, runner.runtime.clock.now());
            let meaning = checked.compiled.as_ref();
            let next = Next { state, before, version, meaning };
            replace(runner, agent, &on_disk, By { who: by, reason }, next).await?;
            id
        }
    };
    // What follows changes missions itself and takes this lock.
    drop(on_disk);
    runner.reconcile(agent, id).await;
    // What another text wants may be a problem of any other.
    runner.runtime.bus.changed(Tag::Missions);
    settle(runner, agent, id).await?;
    let message = format!("Mission {id} activated{warning}");
    if !warning.is_empty() {
        runner.runtime.bus.event_of(&agent.id, "mission_hides_text", format!("{message}."));
    }
    // Last: a change of limits would end what is granted.
    let ungranted = if renews { runner.grant(by, id, &chosen).await } else { String::new() };
    let message = format!("{message}{ungranted}");
    let row = rows::row_of(runner, agent, id).await?;
    Ok(MissionActivated { message, activation_id, state: row.state, reason: row.reason })
}

/// A text that is about to run.
struct Next<'n> {
    state: State,
    before: Option<Life>,
    version: Version,
    meaning: Option<&'n Compiled>,
}

/// Takes out of force what a text has bound that does not run after all: the limits of the text in force stay, and so does
/// everything if that cannot be told.
async fn unbind(runner: &Arc<MissionRunner>, agent: &Arc<AgentMissions>, by: &Session, id: &MissionId) {
    match compiling::check_activated(runner, agent, id).await {
        Ok(meaning) => runner.release_limits_but(agent, by, id, meaning.as_ref()).await,
        Err(error) => tracing::error!(mission = %id, %error, "limits of a text that does not run stay in force"),
    }
}

/// Puts a text in the place of the one before, of which nothing goes on.
async fn replace(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    on_disk: &LivesOnDisk,
    By { who: by, reason }: By<'_>,
    Next { state, before, version, meaning }: Next<'_>,
) -> Result<(), OpError> {
    let id = version.file.id.clone();
    // Its limits bind before it can begin, and those of the text before it until then.
    let bound = match meaning {
        Some(meaning) => runner.bind_limits(agent, by, meaning).await?,
        None => Vec::new(),
    };
    crash::point(CrashPoint::MissionBind);
    let had_text = before.is_some();
    let (runs, row_version) = before.map_or((0, 0), |life| (life.runs, life.row_version));
    let (since_ms, row_version) = (version.activation.at_ms, row_version + 1);
    let (version, triggers, unsaved) = (Some(Arc::new(version)), Vec::new(), None);
    let life = Life { state, since_ms, version, run: None, runs, triggers, row_version, unsaved };
    if let Err(error) = on_disk.save(&id, &life, Author { actor: by.actor(), reason }).await {
        unbind(runner, agent, by, &id).await;
        return Err(error);
    }
    agent.put_saved(runner, &id, life);
    if had_text {
        // Its run and its agent may have something under way that moves the robot by a text that is in force no more. The
        // rows are still held, so that the new run has nothing under way yet.
        runner.hold_parts(agent, by, &id);
    }
    runner.release_limits(agent, by, &id, &bound).await;
    Ok(())
}

/// The text of a mission's file, if it is the one with the hash that the person saw.
fn seen_source(agent: &AgentMissions, id: &MissionId, hash: &str) -> Result<String, OpError> {
    let source = agent.present_source(id)?;
    let found = hash_of(&source);
    if found == hash {
        return Ok(source);
    }
    let message = format!("The file of {id} is not the text you saw; read it again before you activate it.");
    Err(OpError::new(MissionCode::HashChanged, message).with(serde_json::json!({ "hash": found })))
}

/// Refuses to ask a person about an activation that could not be done.
pub(crate) async fn check_activation(
    agent: &AgentMissions,
    id: &MissionId,
    hash: &str,
    dry_run: Option<&str>,
) -> Result<(), OpError> {
    let life = agent.lives.life(id);
    seen_source(agent, id, hash)?;
    records::check_of(agent, id, hash, dry_run).await?;
    step(life.as_ref().map(|life| &life.state), &Act::Activate { same_text: false }).map_err(refused).map(drop)
}

/// Refuses to ask a person about a completion, or a tick of the goal with this number, that could not be done.
pub(crate) fn check_completion(agent: &AgentMissions, id: &MissionId, goal: Option<usize>) -> Result<(), OpError> {
    agent.check_known(id)?;
    let life = agent.lives.life(id);
    if let Some(number) = goal {
        return life.filter(|life| life.may_tick(number)).map(drop).ok_or_else(|| not_ticked(id, number));
    }
    let parts = Family::of(agent).parts(id);
    let act = Act::Complete { parts_open: parts.completed < parts.count };
    step(life.as_ref().map(|life| &life.state), &act).map_err(refused).map(drop)
}

/// The refusal of a tick of the goal with this number, from 0.
fn not_ticked(id: &MissionId, number: usize) -> OpError {
    let message = format!("Goal {} of {id} is not one that a person says is done now.", number + 1);
    OpError::new(MissionCode::AskUnknown, message)
}

/// The text of a mission as it would run, without an error.
async fn readied(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    id: &MissionId,
    source: &str,
) -> Result<(MissionFile, Checked), OpError> {
    let (file, checked) = compiling::check(runner, agent, id, source.to_owned()).await?;
    checked.check_no_error()?;
    let file = file.map_err(|error| {
        let details = serde_json::json!({ "code": error.code, "line": error.line });
        OpError::new(MissionCode::HasProblems, error.to_string()).with(details)
    })?;
    Ok((file, checked))
}

/// The rest of a sentence on a mission whose file hides text; nothing if it hides none.
fn hides(hidden: &[HiddenText]) -> String {
    let lines: BTreeSet<usize> = hidden.iter().map(|place| place.line).collect();
    if lines.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    format!(", whose file hides text from a reader in line {}", lines.join(", "))
}

/// Carries a change of one mission over to its parts, its alarm, and those that wait for it.
async fn settle(runner: &Arc<MissionRunner>, agent: &Arc<AgentMissions>, id: &MissionId) -> Result<(), OpError> {
    runner.tell_changed(agent, id);
    failures::tell_failed_one(runner, agent, id);
    // Boxed: a part has parts in turn.
    Box::pin(work::carry_over(runner, agent)).await?;
    agent.changed.notify_one();
    Ok(())
}

/// Says that the goal with this number, from 0, is done: one that is a sentence.
pub(crate) async fn tick(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    id: &MissionId,
    number: usize,
) -> Result<MissionCompleted, OpError> {
    agent.check_known(id)?;
    let changed = goals::tick(runner, agent, by, id, number).await?;
    if !changed {
        return Err(not_ticked(id, number));
    }
    let message = format!("Goal {} of mission {id} done", number + 1);
    Ok(MissionCompleted { message, changed, now_ready: Vec::new() })
}

/// Calls a mission done; what waits for it may start.
pub(crate) async fn complete(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    id: &MissionId,
    reason: Option<&str>,
) -> Result<MissionCompleted, OpError> {
    let family = Family::of(agent);
    let parts = family.parts(id);
    let act = Act::Complete { parts_open: parts.completed < parts.count };
    let halted = halt_because(runner, agent, By { who: by, reason }, id, &act).await?;
    let MissionHalted { message, changed, .. } = halted;
    // What stood ready at once may have begun by now.
    let now_ready = if changed { family.freed_by(id) } else { Vec::new() };
    Ok(MissionCompleted { message, changed, now_ready })
}

/// Lets a mission go on: it waits for what it depends on again, and a person's answer starts one that was asked about.
pub(crate) async fn resume(
    runner: &Arc<MissionRunner>,
    agent: &Arc<AgentMissions>,
    by: &Session,
    id: &MissionId,
    answer: Option<&str>,
) -> Result<MissionChanged, OpError> {
    agent.check_known(id)?;
    // Held until the answer is written: of two desks at once, the second sees what the first has done.
    let on_disk = agent.on_disk.lock().await;
    let before = agent.lives.life(id);
    let stop_open = before.as_ref().is_some_and(|life| runner.is_stopped(life.robots()));
    let resumer = match by.kind() {
        SessionKind::Person => Resumer::Person { stop_open },
        SessionKind::Machine => Resumer::Other(cause_of(by)),
    };
    let version = before.as_ref().and_then(|life| life.version.as_ref());
    let is_expired = version.is_some_and(|version| version.is_expired(runner.runtime.clock.now()));
    let act = Act::Resume { by: resumer, is_expired };
    let next = step(before.as_ref().map(|life| &life.state), &act).map_err(refused)?;
    let mut stopped = false;
    let changed = match (next, before) {
        (Step::To(state), Some(life)) => {
            // Robots and limits may have changed during the pause, and the text may have no meaning by now.
            compiling::check_activated(runner, agent, id).await?;
            let since_ms = runner.runtime.clock.now().wall_ms;
            let mut life = Life { state, since_ms, row_version: life.row_version + 1, ..life };
            if by.kind() == SessionKind::Person
                && let Some(run) = &mut life.run
            {
                // A person is here: the next turn of a sentence need not wait for its time (decision 0185).
                run.ask_anew();
            }
            on_disk.save(id, &life, Author { actor: by.actor(), reason: None }).await?;
            stopped = !agent.put_saved(runner, id, life);
            drop(on_disk);
            runner.reconcile(agent, id).await;
            !stopped
        }
        (Step::Same, Some(_)) => {
            drop(on_disk);
            check::answer(runner, agent, by, id, answer).await?
        }
        (Step::Same | Step::To(_), None) => {
            drop(on_disk);
            false
        }
    };
    settle(runner, agent, id).await?;
    let row = rows::row_of(runner, agent, id).await?;
    let word = if stopped { "stopped meanwhile" } else { "resumed" };
    Ok(MissionChanged { message: format!("Mission {id} {word}"), changed, state: row.state, reason: row.reason })
}

impl MissionRunner {
    /// True if a stop of one of `robots` is open.
    pub(crate) fn is_stopped(&self, robots: &[RobotId]) -> bool {
        check_no_stop(self, robots).is_err()
    }
}

fn check_no_stop(runner: &MissionRunner, robots: &[RobotId]) -> Result<(), OpError> {
    match runner.host.fleet.stopped_one(robots) {
        Some(robot) => {
            Err(OpError::new(MissionCode::StopOpen, format!("A stop of {robot} is open; release it first.")))
        }
        None => Ok(()),
    }
}

/// Cause of a pause that `by` makes: an agent, a person or a machine.
fn cause_of(by: &Session) -> Cause {
    match (by.kind(), by.agent().filter(|_| by.is_agent())) {
        (_, Some(agent)) => Cause::Agent(agent.to_string()),
        (SessionKind::Person, None) => Cause::Person(by.actor().to_owned()),
        (SessionKind::Machine, None) => Cause::Machine(by.actor().to_owned()),
    }
}

pub(crate) fn refused(refusal: missions::lifecycle::Refusal) -> OpError {
    let mut sentence = refusal.to_string();
    // Every refusal begins with an ASCII letter, so the first byte is a whole character.
    sentence[..1].make_ascii_uppercase();
    OpError::new(refusal.code(), format!("{sentence}."))
}

/// The activation whose text is in force.
fn activated(life: Option<&Life>) -> Option<String> {
    life.and_then(|life| life.version.as_ref()).map(|version| version.activation.id.clone())
}
